#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the CUDA suites of this tree through kernelgate on the GPU that is there, and writes them as a baseline that
# `kernelgate import` takes: record_baselines.sh KERNELGATE OUT [NAME]. Leaves OUT/baselines.jsonl, OUT/run.json (the
# verdict with checks, errors and configurations) and OUT/provenance.json. Needs cmake, ninja, nvcc, git and Google
# Benchmark; CUDA_ARCH is 90a unless given. Six processes a suite, about three minutes on an H200 with 16 processors.
set -eu
if [ $# -lt 2 ] || [ $# -gt 3 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: record_baselines.sh KERNELGATE OUT [NAME]; measures the CUDA suites on the GPU that is there" >&2
  exit 2
fi
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin  # as gpu-check has it
export PATH
for needed in "$1" cmake ninja nvcc git nvidia-smi; do
  command -v "$needed" > /dev/null || { echo "record_baselines.sh: $needed is not there, or no program" >&2; exit 2; }
done
nvidia-smi > /dev/null || { echo "record_baselines.sh: no GPU can be used" >&2; exit 2; }
kernelgate=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
name=${3:-recorded}
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$source/kernels" "$work/"
sed "s/@ARCH@/${CUDA_ARCH:-90a}/" > "$work/kernelgate.toml" <<'MANIFEST'
schema = 1

[build]
configure = """
cmake -S {source}/kernels -B {build} -G Ninja -DCMAKE_BUILD_TYPE=Release -DKERNELGATE_CUDA=ON \
  -DCMAKE_CUDA_ARCHITECTURES=@ARCH@"""
build = """
for name in bsr_gemm_cuda scaled_gemm memory reduce softmax gemm hopper_parts; do
  echo ${name}_bench ${name}_check
done | xargs cmake --build {build} --target"""
inputs = ["kernels/**"]

# The fast variants and their peers; those without matrix instructions take as long as all of these together.
[[suite]]
name = "bsr_gemm"
run = """
{build}/bsr_gemm/cuda/bsr_gemm_cuda_bench '--benchmark_filter=/(tuned|wgmma|wmma|dense|cusparse)/fp16/(4096|8192)/'"""
check = "{build}/bsr_gemm/cuda/bsr_gemm_cuda_check"
timeout_s = 120
requires = { gpu = true }

[[suite]]
name = "scaled_gemm"
run = "{build}/scaled_gemm/cuda/scaled_gemm_bench '--benchmark_filter=/(fp8|norm|cublaslt_blocks)'"
check = "{build}/scaled_gemm/cuda/scaled_gemm_check"
timeout_s = 120
requires = { gpu = true }
MANIFEST
for suite in memory reduce softmax gemm hopper_parts; do
  cat >> "$work/kernelgate.toml" <<MANIFEST

[[suite]]
name = "$suite"
run = "{build}/$suite/${suite}_bench"
check = "{build}/$suite/${suite}_check"
timeout_s = 120
requires = { gpu = true }
MANIFEST
done

cd "$work"
git init -q -b main
git add -A
git -c user.name=record -c user.email=record@example.org commit -q -m "Record the kernels"
code=0
"$kernelgate" run --format json > "$out/run.json" || code=$?
[ "$code" -eq 0 ] || { echo "the run ended with $code: $out/run.json" >&2; exit "$code"; }
"$kernelgate" baseline promote --run 1 --name "$name" --reason "the kernels of this tree, as measured on this GPU"
"$kernelgate" baseline remeasure --name "$name" --processes 5
"$kernelgate" export --baselines "$out/baselines.jsonl"

commit=$(git -C "$source" rev-parse HEAD 2>/dev/null || echo unknown)
day=$(date -u +%F)
facts=name,driver_version,compute_cap,power.limit,clocks.max.sm
card=$(nvidia-smi --query-gpu=$facts --format=csv,noheader | head -n 1)
toolkit=$(nvcc --version | tail -n 1)
cat > "$out/provenance.json" <<PROVENANCE
{"commit": "$commit", "day": "$day", "card": "$card", "toolkit": "$toolkit", "processors": $(nproc),
 "clocks": "as found", "program": "$("$kernelgate" --version | head -n 1)",
 "command": "tools/gpu/record_baselines.sh KERNELGATE OUT $name"}
PROVENANCE
