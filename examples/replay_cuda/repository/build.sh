#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds bsr_gemm_bench and bsr_gemm_check for compute capability 9.0: build.sh SOURCE BUILD. NVCC and CXX name other
# compilers.
set -eu
cd "$1"
build=$2
mkdir -p "$build"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=arch=compute_90a,code=sm_90a  # the letter: wgmma is not in later architectures

# What the commit's kernel needs; kernels/bsr_gemm/cuda/product.hpp names its function.
product="kernels/bsr_gemm/cuda/atomics.cu kernels/bsr_gemm/cuda/rounding.cu"

shared="kernels/bench/datasheet.cpp kernels/bench/device.cu kernels/bench/plan.cpp"
of_bench="kernels/bench/prepared.cpp kernels/bench/suite.cpp kernels/bsr_gemm/cuda/bench.cpp
  kernels/bsr_gemm/cuda/suite_cases.cpp"
of_check="kernels/bsr_gemm/cuda/check.cpp kernels/bsr_gemm/cuda/trial.cpp kernels/bsr_gemm/generate.cpp
  kernels/bsr_gemm/reference.cpp kernels/common/outcome.cpp"

# All files at once: object files are named for their paths. nvcc hands the host files to g++ with the path to its own
# headers, which may not lie beside the command on PATH.
jobs=
compile() {  # leaves the names in $objects
  objects=
  for file in "$@"; do
    object=$(echo "$file" | tr / _).o
    "$nvcc" -ccbin "${CXX:-g++}" -std=c++20 -O3 -lineinfo -gencode "$arch" -Xcompiler -Wall -I. \
      -c "$file" -o "$build/$object" &
    jobs="$jobs $!"
    objects="$objects $object"
  done
}
wait_for_all() {
  failed=
  for job in $jobs; do wait "$job" || failed=yes; done
  jobs=
  [ -z "$failed" ]
}

# shellcheck disable=SC2086
compile $product $shared
both=$objects
# shellcheck disable=SC2086
compile $of_bench
bench=$objects
# shellcheck disable=SC2086
compile $of_check
check=$objects
wait_for_all

cd "$build"
# shellcheck disable=SC2086
"$nvcc" -gencode "$arch" -o bsr_gemm_bench $bench $both -lbenchmark -lpthread &
jobs="$jobs $!"
# shellcheck disable=SC2086
"$nvcc" -gencode "$arch" -o bsr_gemm_check $check $both &
jobs="$jobs $!"
wait_for_all
