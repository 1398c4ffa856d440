# SPDX-License-Identifier: Apache-2.0
"""Times and checks the kernels: bench.py --list | --check | [--filter=REGEX] [--repetitions=N] [--sample-ms=X]."""

import torch
import triton.testing

from kernelgate_suite import Case, Suite
from kernels import matmul, softmax

suite = Suite()


def relative_error(got, want):
    return float((got.double() - want.double()).norm() / want.double().norm())


def rows_of(columns):
    torch.manual_seed(1)
    return torch.randn(4096, columns, device="cuda")


@suite.bench(columns=[1024, 4096, 8192])
def row_softmax(columns):
    x = rows_of(columns)
    out = torch.empty_like(x)
    check = lambda: (relative_error(softmax(out, x), torch.softmax(x, dim=1)), 1e-5)
    return Case(lambda: softmax(out, x), check=check, counters={"bytes": 2 * x.numel() * 4})


@suite.bench(size=[1024, 4096])
def product(size):
    torch.manual_seed(2)
    a, b = (torch.randn(size, size, device="cuda", dtype=torch.float16) for _ in range(2))
    c = torch.empty_like(a)
    check = lambda: (relative_error(matmul(c, a, b), a.float() @ b.float()), 1e-2)
    return Case(lambda: matmul(c, a, b), check=check, counters={"flops": 2 * size**3})


def cold_softmax():
    x = rows_of(4096)
    out = torch.empty_like(x)
    return lambda: softmax(out, x)


suite.do_bench("row_softmax_cold", cold_softmax)


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["size"], x_vals=[2048], line_arg="by", line_vals=["triton"], line_names=["Triton"],
        plot_name="product_report", args={},
    )
)
def report(size, by):
    torch.manual_seed(3)
    a, b = (torch.randn(size, size, device="cuda", dtype=torch.float16) for _ in range(2))
    c = torch.empty_like(a)
    milliseconds = triton.testing.do_bench(lambda: matmul(c, a, b))
    return 2 * size**3 / milliseconds / 1e9


suite.perf_report(report)

if __name__ == "__main__":
    suite.main()
