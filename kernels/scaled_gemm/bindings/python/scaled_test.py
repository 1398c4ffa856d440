#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a GPU with torch: results against torch in double precision, on a stream and replayed from a CUDA graph; groups
too."""
import sys

import torch
from kernelgate_scaled import ScaledGemm, scales_of_rows

BOUND = 5e-3  # of the norm
BLOCK = 128


def operands(lead_a, lead_b, m, n, k):
    blocks = [-(-size // BLOCK) for size in (n, k)]
    a = (torch.randn(*lead_a, m, k, device="cuda") * 32).to(torch.float8_e4m3fn)
    b = (torch.randn(*lead_b, n, k, device="cuda") * 32).to(torch.float8_e4m3fn)
    return a, b, torch.rand(*lead_a, m, blocks[1], device="cuda"), torch.rand(*lead_b, *blocks, device="cuda")


def expected(a, b, a_scales, b_scales):
    """Of a (m, k) and b (n, k), in double precision."""
    k, n = a.shape[-1], b.shape[-2]
    of_a = a_scales.double().repeat_interleave(BLOCK, -1)[..., :k]
    of_b = b_scales.double().repeat_interleave(BLOCK, -1)[..., :k].repeat_interleave(BLOCK, -2)[..., :n, :]
    return (a.double() * of_a) @ (b.double() * of_b).transpose(-1, -2)


def error(out, want):
    return ((out.double() - want).norm() / want.norm()).item()


def check(lead, m, n, k):
    a, b, a_scales, b_scales = operands(lead, lead, m, n, k)
    plan = ScaledGemm(a, b, scales_of_rows(a_scales), b_scales)
    errors = [error(plan.run(), expected(a, b, a_scales, b_scales))]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        plan.run()
    a.copy_((torch.randn(*lead, m, k, device="cuda") * 32).to(a.dtype))
    plan.out.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    errors.append(error(plan.out, expected(a, b, a_scales, b_scales)))
    return max(errors) < BOUND, errors, plan.configuration


def check_contiguous():
    a, b, a_scales, b_scales = operands((), (3,), 512, 272, 400)
    groups = torch.tensor([2, 0, -1, 2], dtype=torch.int32, device="cuda")
    plan = ScaledGemm(a, b, scales_of_rows(a_scales), b_scales, group_of_rows=groups)
    plan.out.fill_(7)
    out, errors = plan.run(), []
    for i, group in enumerate(groups.tolist()):
        rows = slice(i * 128, (i + 1) * 128)
        untouched = torch.full_like(out[rows], 7)
        want = expected(a[rows], b[group], a_scales[rows], b_scales[group]) if group >= 0 else untouched.double()
        errors.append(error(out[rows], want))
    return max(errors) < BOUND, errors, plan.configuration


def check_masked():
    a, b, a_scales, b_scales = operands((3,), (3,), 200, 272, 400)
    rows = torch.tensor([200, 0, 33], dtype=torch.int32, device="cuda")
    plan = ScaledGemm(a, b, scales_of_rows(a_scales), b_scales, rows_of_group=rows)
    out, want = plan.run(), expected(a, b, a_scales, b_scales)
    errors = [error(out[i, :count], want[i, :count]) for i, count in enumerate(rows.tolist()) if count > 0]
    return max(errors) < BOUND, errors, plan.configuration


def main():
    torch.manual_seed(1)
    results = [check((), 300, 272, 400), check((), 64, 512, 1024), check((2,), 130, 256, 512), check_contiguous(),
               check_masked()]
    for passed, errors, configuration in results:
        print("PASS" if passed else "FAIL", configuration, " ".join(f"{one:.2e}" for one in errors))
    return 0 if all(passed for passed, _, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
