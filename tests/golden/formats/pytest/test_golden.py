# SPDX-License-Identifier: Apache-2.0
"""The suite of make.sh: benchmarks as Triton and torch users write them, without either."""
import time

import pytest


def wait(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


@pytest.mark.parametrize("size", [64, 128])
def test_gemm(benchmark, size):
    benchmark.extra_info["flops"] = 2 * size**3
    benchmark.extra_info["dtype"] = "bf16"
    benchmark(wait, size * 1e-6)


def test_pedantic(benchmark):
    benchmark.pedantic(wait, args=(0.001,), rounds=4, iterations=2)


class TestGroup:
    def test_method(self, benchmark):
        benchmark(wait, 0.0002)


def test_without_benchmark():
    assert True


def test_fails(benchmark):
    benchmark(wait, 0.0001)
    raise AssertionError("wrong numbers")
