#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the CUDA suites and their checks with nvcc and g++ alone: suites_build.sh SOURCE BUILD. For the GPU that is
# there, else for compute capability 9.0; CUDA_ARCH=sm_80 asks for another. Objects that are there are kept.
set -eu
[ $# -eq 2 ] || { echo "usage: suites_build.sh SOURCE BUILD" >&2; exit 2; }
cd "$1"
build=$2
mkdir -p "$build"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -cd 0-9 || true)
arch=${CUDA_ARCH:-sm_${capability:-90}}
suites="memory reduce softmax gemm"

compile() {
  for file in "$@"; do
    object=$build/$(echo "$file" | tr / _).o
    [ -e "$object" ] && continue
    case $file in
      *.cu) "$nvcc" -std=c++20 -O3 -lineinfo "-arch=$arch" -I. -c "$file" -o "$object" & ;;
      *) "$nvcc" -ccbin "${CXX:-g++}" -std=c++20 -O2 -I. -c "$file" -o "$object" & ;;  # with CUDA's headers
    esac
    jobs="$jobs $!"
  done
}

wait_for() {
  failed=
  for job in "$@"; do wait "$job" || failed=yes; done
  [ -z "$failed" ]
}

jobs=
compile kernels/bench/device.cu kernels/bench/datasheet.cpp kernels/bench/plan.cpp kernels/bench/prepared.cpp \
  kernels/bench/suite.cpp kernels/common/device_check.cpp kernels/common/outcome.cpp kernels/memory/lone_bench.cpp
for suite in $suites; do
  compile "kernels/$suite"/*.cu "kernels/$suite/bench.cpp" "kernels/$suite/check.cpp"
done
# shellcheck disable=SC2086
wait_for $jobs

cd "$build"
kit="kernels_bench_device.cu.o kernels_bench_datasheet.cpp.o kernels_bench_plan.cpp.o"
link() {
  program=$1
  shift
  # shellcheck disable=SC2086
  "$nvcc" "-arch=$arch" -o "$program" "$@" $kit -lbenchmark -lpthread &
  jobs="$jobs $!"
}
jobs=
link memory_lone_bench kernels_memory_lone_bench.cpp.o kernels_memory_memory.cu.o
for suite in $suites; do
  link "${suite}_bench" "kernels_${suite}_bench.cpp.o" kernels_"$suite"_*.cu.o kernels_bench_suite.cpp.o \
    kernels_bench_prepared.cpp.o
  link "${suite}_check" "kernels_${suite}_check.cpp.o" kernels_"$suite"_*.cu.o kernels_common_device_check.cpp.o \
    kernels_common_outcome.cpp.o
done
# shellcheck disable=SC2086
wait_for $jobs
