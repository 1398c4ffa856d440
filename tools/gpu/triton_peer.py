#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times Triton's block-sparse product, what torch.matmul of a BSR tensor calls: triton_peer.py FILE.json.

fp16, square operands, blocks there with the chance 12.5 % (patterns of its own, torch's generator, seed 42). Each
figure is the median of ten replays of a CUDA graph of five calls, after eight calls to warm up. Needs torch with CUDA
and Triton."""

import json
import statistics
import sys

try:
    import torch
    import triton
    from torch.sparse._triton_ops import bsr_dense_addmm
except ImportError as missing:
    sys.exit(f"triton_peer.py: {missing}: torch with CUDA and Triton is needed")

SIZES, BLOCKS, DENSITY = (4096, 8192), (32, 64, 128), 0.125
WARM_UPS, CALLS, REPLAYS = 8, 5, 10


def operands(size, block, generator):
    """A as a BSR tensor, B, C, and how many multiplications and additions A's blocks stand for."""
    blocks = size // block
    there = torch.rand(blocks, blocks, generator=generator, device="cuda") < DENSITY
    rows = torch.zeros(blocks + 1, dtype=torch.int64, device="cuda")
    rows[1:] = there.sum(1).cumsum(0)
    columns = there.nonzero()[:, 1].contiguous()
    values = torch.randn(len(columns), block, block, device="cuda", dtype=torch.float16, generator=generator)
    a = torch.sparse_bsr_tensor(rows, columns, values, (size, size))
    b = torch.randn(size, size, device="cuda", dtype=torch.float16, generator=generator)
    return a, b, torch.empty_like(b), 2 * len(columns) * block * block * size


def microseconds(call):
    """Of one call, for each replay."""
    for _ in range(WARM_UPS):
        call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    graph.replay()
    torch.cuda.synchronize()
    times = []
    for _ in range(REPLAYS):
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(1e3 * start.elapsed_time(end) / CALLS)
    return times


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: triton_peer.py FILE.json")
    if not torch.cuda.is_available():
        sys.exit("triton_peer.py: torch finds no GPU that it can use")
    generator = torch.Generator(device="cuda")
    generator.manual_seed(42)
    found = {"torch": torch.__version__, "triton": triton.__version__, "device": torch.cuda.get_device_name(),
             "products": {}}
    for size in SIZES:
        for block in BLOCKS:
            a, b, c, flops = operands(size, block, generator)
            times = microseconds(lambda a=a, b=b, c=c: bsr_dense_addmm(c, a, b, beta=0, alpha=1, out=c))
            median = statistics.median(times)
            rate = round(flops / median / 1e6, 1)
            found["products"][f"fp16/{size}/bs:{block}"] = {
                "flops": flops, "us": [round(us, 3) for us in times], "tflops_median": rate}
            print(f"bsr_dense_addmm fp16 {size} blocks of {block}: {median:.1f} us, {rate} TFLOP/s")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
