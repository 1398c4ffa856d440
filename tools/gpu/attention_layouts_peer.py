#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times torch on the packed and block-sparse problems of attention_bench: attention_layouts_peer.py FILE.json

Packed: FlashAttention-2 as torch has it for cumulative lengths (cuDNN's could not be captured in a graph). Sparse:
FlexAttention with a block mask of 128 x 128, of which each head has its own one block in eight at random; compiled, not
tuned over its options. Timed as attention_peer.py does. Needs torch with CUDA; FlexAttention needs Triton and a C
compiler."""

import json
import statistics
import sys

from attention_peer import RATE, STRETCH_S, microseconds, torch

MIXED = [300, 128, 1500, 900, 256, 512, 3000, 100, 640, 2048, 384, 200, 1024, 500, 768, 4096]
# name, lengths, heads, depth
PACKED = [("packed:equal", [4096] * 4, 16, 128), ("packed:equal", [512] * 32, 16, 128),
          ("packed:mixed", MIXED, 16, 128), ("packed:mixed", MIXED, 32, 64)]
SPARSE = [(4, 16, 8192, 128), (4, 16, 8192, 64)]  # batch, heads, size, depth
BLOCK, DENSITY = 128, 0.125


def flash(q, k, v, offsets, longest, causal):
    return torch.ops.aten._flash_attention_forward(q, k, v, offsets, offsets, longest, longest, 0.0, causal, False)


def packed_calls():
    """Name, floating-point operations, back end and call of each."""
    for causal in (False, True):
        for name, lengths, heads, depth in PACKED:
            offsets = torch.tensor([0, *torch.tensor(lengths).cumsum(0)], dtype=torch.int32, device="cuda")
            q, k, v = (torch.randn(sum(lengths), heads, depth, dtype=torch.float16, device="cuda") for _ in range(3))
            pairs = sum(n * (n + 1) / 2 if causal else n * n for n in lengths)
            full = f"fp16/{len(lengths)}x{heads}x{sum(lengths)}x{depth}" + ("/causal" if causal else "") + "/" + name

            def call(given=(q, k, v, offsets, max(lengths), causal)):
                flash(*given)
            yield full, 4 * heads * depth * pairs, "flash", call


def sparse_calls():
    from torch.nn.attention.flex_attention import BlockMask, flex_attention
    compiled = torch.compile(flex_attention, dynamic=False)
    for batch, heads, size, depth in SPARSE:
        blocks = size // BLOCK
        there = torch.rand(1, heads, blocks, blocks, device="cuda") < DENSITY
        counts = there.sum(-1).int()
        numbers = there.int().sort(-1, descending=True).indices.int()
        none = torch.zeros_like(counts)
        mask = BlockMask.from_kv_blocks(none, torch.zeros_like(numbers), counts, numbers, BLOCK_SIZE=BLOCK)
        q, k, v = (torch.randn(batch, heads, size, depth, dtype=torch.float16, device="cuda") for _ in range(3))

        def call(given=(q, k, v), mask=mask):
            compiled(*given, block_mask=mask)
        flops = 4 * depth * batch * counts.sum().item() * BLOCK * BLOCK
        yield f"fp16/{batch}x{heads}x{size}x{depth}/sparse:128x128:125", flops, "flex", call


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: attention_layouts_peer.py FILE.json")
    torch.manual_seed(42)
    rows = []
    for calls in (sparse_calls(), packed_calls()):
        try:
            for name, flops, backend, call in calls:
                try:
                    times = sorted(microseconds(call, max(1, int(STRETCH_S * RATE / flops))))
                except RuntimeError as error:
                    print(f"{name} {backend}: {str(error).splitlines()[0]}")
                    continue
                rows.append({"name": name, "backend": backend, "us": times,
                             "tflops": flops / statistics.median(times) / 1e6})
                print(f"{name:44} {backend:6} {rows[-1]['tflops']:6.1f} TFLOP/s (n = {len(times)})", flush=True)
        except Exception as error:  # no Triton, no compiler: the other peers still stand
            print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"torch": torch.__version__, "card": torch.cuda.get_device_name(), "benchmarks": rows}, file)


if __name__ == "__main__":
    main()
