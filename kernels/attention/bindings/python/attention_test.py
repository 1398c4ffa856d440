#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a GPU with torch: results against torch in double precision, on a stream and replayed from a CUDA graph; packed
sequences and patterns of blocks too."""
import sys

import torch
from kernelgate_attention import Attention, Blocks, Packed, scaled_dot_product_attention, varlen_attention

BOUND = {torch.float16: 2e-3, torch.bfloat16: 1.5e-2}  # of the norm


def expected(q, k, v, causal=False, seen=None):
    """In double precision; `seen` has where a row sees a key. Rows that see none are zero."""
    if causal:
        last = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device="cuda").tril(k.shape[2] - q.shape[2])
        seen = last if seen is None else seen & last
    out = torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), attn_mask=seen,
                                                           enable_gqa=q.shape[1] != k.shape[1])
    return out if seen is None else torch.where(seen.any(-1, keepdim=True), out, 0)


def error(out, want):
    return ((out.double() - want).norm() / want.norm()).item()


def replayed(plan, q):
    """The result of a graph of the plan, for new queries."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        plan.run()
    q.copy_(torch.randn_like(q))
    plan.out.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    return plan.out


def check_dense(kind, batch, heads, key_heads, size, depth, causal, rows_first):
    def operand(count):
        if rows_first:
            return torch.randn(batch, size, count, depth, device="cuda", dtype=kind).transpose(1, 2)
        return torch.randn(batch, count, size, depth, device="cuda", dtype=kind)
    q, k, v = operand(heads), operand(key_heads), operand(key_heads)
    errors = [error(scaled_dot_product_attention(q, k, v, is_causal=causal), expected(q, k, v, causal))]
    plan = Attention(q, k, v, causal=causal)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        plan.run()
    stream.synchronize()
    errors.append(error(plan.out, expected(q, k, v, causal)))
    errors.append(error(replayed(plan, q), expected(q, k, v, causal)))
    return max(errors) < BOUND[kind], errors, plan.configuration


def offsets_of(sizes):
    return torch.tensor([0, *torch.tensor(sizes).cumsum(0)], dtype=torch.int32, device="cuda")


def check_packed(kind, heads, key_heads, sizes, key_sizes, depth, causal):
    """The second lengths are the first ones in the other order, written over them before a replay."""
    def operand(rows, count):
        return torch.randn(rows, count, depth, device="cuda", dtype=kind)
    q, k, v = operand(sum(sizes), heads), operand(sum(key_sizes), key_heads), operand(sum(key_sizes), key_heads)

    def want(queries, keys):
        parts = [torch.zeros(0, heads, depth, device="cuda", dtype=torch.double)]
        at, key = 0, 0
        for rows, key_rows in zip(queries, keys):
            part = [one.transpose(0, 1)[None]
                    for one in (q[at:at + rows], k[key:key + key_rows], v[key:key + key_rows])]
            parts.append(expected(*part, causal)[0].transpose(0, 1) if rows and key_rows else
                         torch.zeros(rows, heads, depth, device="cuda", dtype=torch.double))
            at, key = at + rows, key + key_rows
        return torch.cat(parts)
    lengths = (offsets_of(sizes), offsets_of(key_sizes), max(sizes), max(key_sizes))
    errors = [error(varlen_attention(q, k, v, *lengths, causal=causal), want(sizes, key_sizes))]
    plan = Attention(q, k, v, causal=causal, packed=Packed(*lengths))
    plan.run()
    lengths[0].copy_(offsets_of(sizes[::-1]))
    lengths[1].copy_(offsets_of(key_sizes[::-1]))
    errors.append(error(replayed(plan, q), want(sizes[::-1], key_sizes[::-1])))
    return max(errors) < BOUND[kind], errors, plan.configuration


def check_blocks(kind, batch, heads, size, depth, causal, columns, leading):
    q, k, v = (torch.randn(batch, heads, size, depth, device="cuda", dtype=kind) for _ in range(3))
    mask = torch.rand(*leading, -(-size // 128), -(-size // columns), device="cuda") < 0.4
    seen = mask.repeat_interleave(128, -2).repeat_interleave(columns, -1)[..., :size, :size]
    while seen.dim() < 4:
        seen = seen[None]
    plan = Attention(q, k, v, causal=causal, blocks=Blocks(mask, columns=columns))
    errors = [error(plan.run(), expected(q, k, v, causal, seen))]
    errors.append(error(replayed(plan, q), expected(q, k, v, causal, seen)))
    return max(errors) < BOUND[kind], errors, plan.configuration


DENSE = ((2, 4, 4, 300, 64, True, False), (2, 8, 2, 257, 128, False, True), (1, 2, 2, 200, 256, True, True))
PACKED = ((4, 2, [100, 0, 301, 7], [100, 30, 301, 7], 128, True), (2, 2, [64, 513, 1], [200, 513, 77], 64, False),
          (2, 1, [130, 40], [130, 140], 256, True))
BLOCKS = ((2, 4, 700, 128, False, 128, ()), (2, 4, 700, 64, True, 64, (4,)), (2, 2, 512, 256, True, 128, (2, 2)),
          (2, 2, 512, 128, False, 64, (2, 1)))


def main():
    torch.manual_seed(1)
    failed = 0
    for kind in (torch.float16, torch.bfloat16):
        for checked, cases in ((check_dense, DENSE), (check_packed, PACKED), (check_blocks, BLOCKS)):
            for case in cases:
                passed, errors, configuration = checked(kind, *case)
                failed += not passed
                print("PASS" if passed else "FAIL", kind, case, configuration, errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
