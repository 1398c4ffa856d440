#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds kernels.cu and keeps what the CUDA tools say of it: ptxas.txt needs nvcc alone, usage.txt and sass.txt need
# cuobjdump too. h200.*.txt are cuobjdump of CUDA 13.0 on kernels/crash: the first kernels, without paths of sources.
# Usage: make.sh [FOLDER for the texts; default: this one]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin
cd "$work"
cp "$here/kernels.cu" .
nvcc -std=c++17 -O2 -gencode=arch=compute_90a,code=sm_90a -lineinfo -Xptxas -v -o kernels kernels.cu 2>"$out/ptxas.txt"
command -v cuobjdump >/dev/null || { echo "no cuobjdump: only ptxas.txt was made"; exit 0; }
cuobjdump --dump-resource-usage kernels >"$out/usage.txt"
cuobjdump --dump-sass kernels >"$out/sass.txt"
cuobjdump --version | tail -2
