# SPDX-License-Identifier: Apache-2.0
"""torch._scaled_mm on the shapes of scaled_gemm_bench: scaled_gemm_peer.py FILE.json.

Operands are even in (-448, 448) as the suite's are. `blocks` has scales of 1x128 and 128x128, `per_tensor` one for each
operand with fast accumulation. Calls run in CUDA graphs of some milliseconds over copies of the operands in turn that
add up to three times the L2 where the suite says cold; median of ten replays, each after a pause.
"""
import json
import statistics
import sys
import time

import torch

SHAPES = [((8192, 8192, 8192), False), ((4096, 4096, 7168), False), ((4096, 7168, 2048), False),
          ((128, 7168, 2048), True), ((64, 7168, 16384), True)]  # M, N, K; cold
REPLAYS = 10
PAUSE_S = 0.08
STRETCH_S = 4e-3
RATE = 1.2e15  # about what is reached, to choose how many calls make a stretch
BYTES_S = 4e12
BLOCK = 128
LARGEST = 448  # of e4m3


def operands(shape, kind):
    m, n, k = shape

    def bytes_of(rows):
        return ((torch.rand(rows, k, device="cuda") * 2 - 1) * LARGEST).to(torch.float8_e4m3fn)
    a, b = bytes_of(m), bytes_of(n).t()
    if kind == "per_tensor":
        one = torch.full((), 1 / LARGEST, device="cuda")
        return a, b, one, one
    a_scales = (torch.rand(k // BLOCK, m, device="cuda") / LARGEST).t()
    b_scales = (torch.rand(n // BLOCK, k // BLOCK, device="cuda") / LARGEST).t()
    return a, b, a_scales, b_scales


def calls_of(shape, cold, kind):
    """As many as the operands have copies."""
    m, n, k = shape
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    copies = 1 + 3 * l2 // (m * k + n * k + 2 * m * n) if cold else 1

    def made():
        a, b, a_scales, b_scales = operands(shape, kind)
        out = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)

        def call():
            torch._scaled_mm(a, b, scale_a=a_scales, scale_b=b_scales, out_dtype=torch.bfloat16, out=out,
                             use_fast_accum=kind == "per_tensor")
        return call
    return [made() for _ in range(copies)]


def microseconds(calls, rounds):
    """Of one call, for each replay."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(rounds):
            for call in calls:
                call()
    times = []
    for _ in range(REPLAYS):
        torch.cuda.synchronize()
        time.sleep(PAUSE_S)
        graph.replay()
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(1e3 * start.elapsed_time(end) / rounds / len(calls))
    return times


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: scaled_gemm_peer.py FILE.json")
    torch.manual_seed(42)
    rows = []
    for shape, cold in SHAPES:
        m, n, k = shape
        flops = 2 * m * n * k
        one_s = flops / RATE + (m * k + n * k + 2 * m * n) / BYTES_S
        for kind in ("per_tensor", "blocks"):
            name = f"{m}x{n}x{k}/{'cold' if cold else 'warm'}"
            try:
                calls = calls_of(shape, cold, kind)
                times = microseconds(calls, max(1, int(STRETCH_S / one_s / len(calls))))
            except RuntimeError as error:
                print(f"{name} {kind}: {str(error).splitlines()[0]}")
                continue
            us = statistics.median(times)
            rows.append({"name": name, "kind": kind, "us": times, "tflops": flops / us / 1e6})
            print(f"{name:24} {kind:10} {us:8.2f} us {flops / us / 1e6:7.1f} TFLOP/s "
                  f"({min(times):.2f} to {max(times):.2f}, n = {len(times)})", flush=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"torch": torch.__version__, "card": torch.cuda.get_device_name(), "benchmarks": rows}, file)


if __name__ == "__main__":
    main()
