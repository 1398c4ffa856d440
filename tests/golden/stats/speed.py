#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""U, Cliff's delta and the Hodges-Lehmann estimate, 1,000 values a side: ours beside R and SciPy.

Usage: speed.py KG_STATS_BENCH [SCIPY_ROOT]. The three take turns, so that a busy machine slows them alike; figures are
milliseconds of processor time. SCIPY_ROOT: a Debian root with python3-scipy (make_scipy.py says how to make one);
without it this Python's own SciPy is used.
"""
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS, REPEATS = 10, 3


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout


def ours(bench):
    found = json.loads(output(bench, "--benchmark_filter=/1000$", "--benchmark_format=json"))
    return [sum(row["cpu_time"] for row in found["benchmarks"])]


def totals(text):
    return [sum(float(field) for field in line.split()) for line in text.splitlines()]


def scipy(root):
    script = os.path.join(HERE, "speed_scipy.py")
    if not root:
        return totals(output("/usr/bin/python3", script, str(REPEATS)))
    return totals(output("bwrap", "--ro-bind", root, "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
                         "--ro-bind", HERE, "/mnt", "python3", "/mnt/speed_scipy.py", str(REPEATS)))


def main():
    times = {"kernelgate": [], "R": [], "SciPy": []}
    for _ in range(ROUNDS):
        times["kernelgate"] += ours(sys.argv[1])
        times["R"] += totals(output("Rscript", os.path.join(HERE, "speed.R"), str(REPEATS)))
        times["SciPy"] += scipy(sys.argv[2] if len(sys.argv) > 2 else "")
    fastest = statistics.median(times["kernelgate"])
    for name, values in times.items():
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"{name:10} n {len(values):3}  median {middle:8.2f} ms  quartiles {low:8.2f} {high:8.2f}"
              f"  x {middle / fastest:.1f}")


if __name__ == "__main__":
    main()
