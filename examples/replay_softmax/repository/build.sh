#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds softmax_bench and softmax_check: build.sh SOURCE BUILD. For the GPU that is there, else for compute
# capability 9.0; CUDA_ARCH=sm_80 asks for another, NVCC and CXX for other compilers.
set -eu
cd "$1"
build=$2
mkdir -p "$build"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -cd 0-9 || true)
arch=${CUDA_ARCH:-sm_${capability:-90}}

# All files at once: object files are named for their paths. nvcc hands the host files to g++ with the path to its own
# headers, which may not lie beside the command on PATH.
jobs=
for file in kernels/bench/datasheet.cpp kernels/bench/plan.cpp kernels/bench/prepared.cpp kernels/bench/suite.cpp \
  kernels/common/device_check.cpp kernels/common/outcome.cpp kernels/softmax/bench.cpp kernels/softmax/check.cpp; do
  "$nvcc" -ccbin "${CXX:-g++}" -std=c++20 -O2 -Xcompiler -Wall -I. -c "$file" -o "$build/$(echo "$file" | tr / _).o" &
  jobs="$jobs $!"
done
for file in kernels/bench/device.cu kernels/softmax/softmax.cu; do
  "$nvcc" -std=c++20 -O3 -lineinfo "-arch=$arch" -I. -c "$file" -o "$build/$(echo "$file" | tr / _).o" &
  jobs="$jobs $!"
done
failed=
for job in $jobs; do wait "$job" || failed=yes; done
[ -z "$failed" ]

cd "$build"
kit="kernels_bench_device.cu.o kernels_bench_datasheet.cpp.o kernels_bench_plan.cpp.o"
# shellcheck disable=SC2086
"$nvcc" "-arch=$arch" -o softmax_bench kernels_softmax_bench.cpp.o kernels_softmax_softmax.cu.o \
  kernels_bench_suite.cpp.o kernels_bench_prepared.cpp.o $kit -lbenchmark -lpthread &
# shellcheck disable=SC2086
"$nvcc" "-arch=$arch" -o softmax_check kernels_softmax_check.cpp.o kernels_softmax_softmax.cu.o \
  kernels_common_device_check.cpp.o kernels_common_outcome.cpp.o $kit
wait $!
