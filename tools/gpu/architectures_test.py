#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the kernels that use instructions of one architecture for the others: architectures_test.py NVCC.

A kernel that only Hopper can run is compiled everywhere, empty where its instructions are missing; its host code
refuses at run time (kernels/common/built_for.hpp). For sm_90a it must hold what its line names."""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = {
    "kernels/bsr_gemm/cuda/wgmma_fp16.cu": "wgmma.mma_async",
    "kernels/attention/cuda/dense_fp16.cu": "wgmma.mma_async",
    "kernels/attention/cuda/tunable_fp16.cu": "mma.sync",
    "kernels/scaled_gemm/cuda/wide.cu": "wgmma.mma_async",
    "kernels/scaled_gemm/cuda/narrow.cu": "mapa.shared::cluster",
    "kernels/scaled_gemm/cuda/quantise.cu": "cvt.rn.satfinite.e4m3x2",
    "kernels/hopper/products.cu": "wgmma.mma_async",
    "kernels/hopper_parts/tma_load.cu": "cp.async.bulk.tensor",
    "kernels/hopper_parts/wgmma_issue.cu": "wgmma.mma_async",
    "kernels/hopper_parts/mma_sync.cu": "mma.sync",
    "kernels/common/built_for.cu": "built_for",
}
HOPPER = "sm_90a"
OTHERS = ["sm_80", "sm_100a"]


def compile_one(nvcc, source, arch, folder):
    """The compiler's complaint, or nothing."""
    name = f"{source.replace('/', '_')}.{arch}"
    kind = "-ptx" if arch == HOPPER else "-cubin"  # a quick look at the instructions; a whole compilation
    out = folder / name
    ran = subprocess.run([nvcc, "-std=c++20", f"-arch={arch}", kind, "-I", ROOT, "-o", out, ROOT / source],
                         capture_output=True, text=True, timeout=240)
    if ran.returncode != 0:
        return f"{source} for {arch}: {ran.stderr.strip()[:600]}"
    if arch == HOPPER and SOURCES[source] not in out.read_text():
        return f"{source} for {arch}: no {SOURCES[source]} in it"
    return ""


def main(nvcc):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(compile_one, nvcc, source, arch, pathlib.Path(folder))
                for source in SOURCES for arch in [HOPPER, *OTHERS]]
        wrong = [said for said in (job.result() for job in jobs) if said]
    print("\n".join(wrong) or f"{len(SOURCES)} sources compile for {HOPPER}, {' and '.join(OTHERS)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
