#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a card with torch: results against torch in double precision, on a stream and replayed from a CUDA graph."""
import sys

import torch
from kernelgate_attention import Attention, scaled_dot_product_attention

BOUND = {torch.float16: 2e-3, torch.bfloat16: 1.5e-2}  # of the norm


def error(out, q, k, v, causal):
    want = torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), is_causal=causal,
                                                            enable_gqa=q.shape[1] != k.shape[1])
    return ((out.double() - want).norm() / want.norm()).item()


def check(kind, batch, heads, key_heads, size, depth, causal, rows_first):
    def operand(count):
        if rows_first:
            return torch.randn(batch, size, count, depth, device="cuda", dtype=kind).transpose(1, 2)
        return torch.randn(batch, count, size, depth, device="cuda", dtype=kind)
    q, k, v = operand(heads), operand(key_heads), operand(key_heads)
    errors = [error(scaled_dot_product_attention(q, k, v, is_causal=causal), q, k, v, causal)]
    plan = Attention(q, k, v, causal=causal)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        plan.run()
    stream.synchronize()
    errors.append(error(plan.out, q, k, v, causal))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        plan.run()
    q.copy_(torch.randn_like(q))
    plan.out.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    errors.append(error(plan.out, q, k, v, causal))
    return max(errors) < BOUND[kind], errors, plan.configuration


def main():
    torch.manual_seed(1)
    failed = 0
    for kind in (torch.float16, torch.bfloat16):
        for case in ((2, 4, 4, 300, 64, True, False), (2, 8, 2, 257, 128, False, True),
                     (1, 2, 2, 200, 256, True, True)):
            passed, errors, configuration = check(kind, *case)
            failed += not passed
            print("PASS" if passed else "FAIL", kind, case, configuration, errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
