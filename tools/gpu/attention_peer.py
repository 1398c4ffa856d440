#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times torch's attention (SDPA) back ends on the shapes of attention_bench: attention_peer.py FILE.json [BACKEND]
With `sizes` among the back ends the shapes are those of attention_sizes_bench.

Each figure is the median of ten replays of a CUDA graph of calls that take about 4 ms together, each after a pause and
one replay that is not timed: short stretches, as the timing kit takes them. Random operands, seed 42.
Back ends: cudnn, flash, efficient (all by default). Needs torch with CUDA."""

import json
import statistics
import sys
import time

try:
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError as missing:
    sys.exit(f"attention_peer.py: {missing}: torch with CUDA is needed")

BACKENDS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION,
            "efficient": SDPBackend.EFFICIENT_ATTENTION}
# type, batch, heads, heads of keys, size, depth
SHAPES = [("fp16", 4, 16, 16, 4096, 64), ("fp16", 4, 16, 16, 4096, 128), ("fp16", 4, 16, 16, 4096, 256),
          ("fp16", 32, 16, 16, 512, 64), ("fp16", 2, 16, 16, 16384, 128), ("fp16", 4, 64, 8, 4096, 128),
          ("fp16", 1, 16, 16, 1000, 128), ("bf16", 4, 16, 16, 4096, 128), ("bf16", 32, 16, 16, 512, 64)]
SIZES = [("fp16", 16384 // size, 2048 // depth, 2048 // depth, size, depth)
         for depth in (64, 128, 256) for size in (128, 256, 512, 1024, 2048, 4096, 8192, 16384)]
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}
STRETCH_S, RATE, PAUSE_S, REPLAYS = 4e-3, 500e12, 0.05, 10


def name_of(shape, causal):
    kind, batch, heads, key_heads, size, depth = shape
    grouped = f":{key_heads}" if key_heads != heads else ""
    return f"{kind}/{batch}x{heads}{grouped}x{size}x{depth}" + ("/causal" if causal else "")


def flops_of(shape, causal):
    _, batch, heads, _, size, depth = shape
    return 4 * batch * heads * depth * (size * (size + 1) / 2 if causal else size * size)


def call_of(shape, causal, backend, generator):
    kind, batch, heads, key_heads, size, depth = shape
    q, k, v = (torch.randn(batch, count, size, depth, dtype=TYPES[kind], device="cuda", generator=generator)
               for count in (heads, key_heads, key_heads))

    def call():
        with sdpa_kernel([BACKENDS[backend]]):
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=key_heads != heads)
    return call


def microseconds(call, calls):
    """Of one call, for each replay."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
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
        times.append(1e3 * start.elapsed_time(end) / calls)
    return times


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or set(sys.argv[2:]) - {*BACKENDS, "sizes"}:
        sys.exit("usage: attention_peer.py FILE.json [cudnn] [flash] [efficient] [sizes]")
    generator = torch.Generator("cuda").manual_seed(42)
    rows = []
    for causal in (False, True):
        for shape in SIZES if "sizes" in sys.argv[2:] else SHAPES:
            flops = flops_of(shape, causal)
            for backend in [one for one in sys.argv[2:] if one != "sizes"] or BACKENDS:
                try:
                    call = call_of(shape, causal, backend, generator)
                    times = sorted(microseconds(call, max(1, int(STRETCH_S * RATE / flops))))
                except RuntimeError as error:
                    print(f"{name_of(shape, causal)} {backend}: {str(error).splitlines()[0]}")
                    continue
                rates = [flops / us / 1e6 for us in (statistics.median(times), times[-1], times[0])]
                rows.append({"name": name_of(shape, causal), "backend": backend, "us": times, "tflops": rates[0]})
                print(f"{name_of(shape, causal):34} {backend:10} {rates[0]:6.1f} TFLOP/s "
                      f"({rates[1]:.1f} to {rates[2]:.1f}, n = {len(times)})", flush=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"torch": torch.__version__, "card": torch.cuda.get_device_name(), "benchmarks": rows}, file)


if __name__ == "__main__":
    main()
