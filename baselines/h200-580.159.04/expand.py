#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the recorded series as Google Benchmark JSON, one file a round and variant: expand.py FOLDER [KERNELGATE].

With KERNELGATE, compares each variant with base and prints a table: kernelgate compare --drop-first 3.
"""
import gzip
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VARIANTS = ("aa", "p1_5", "p3", "p6", "m3")


def rows(series):
    return [{"name": series["kernel"], "run_name": series["kernel"], "run_type": "iteration",
             "repetitions": len(series["us"]), "repetition_index": i, "threads": 1, "iterations": 1,
             "real_time": t, "cpu_time": t, "time_unit": "us"} for i, t in enumerate(series["us"])]


def expand(folder):
    files = {}
    with gzip.open(os.path.join(HERE, "series.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            series = json.loads(line)
            files.setdefault((series["variant"], series["round"]), []).append(series)
    for (variant, number), group in files.items():
        group.sort(key=lambda series: series["kernel"])
        result = {"context": {}, "benchmarks": [row for series in group for row in rows(series)]}
        with open(os.path.join(folder, f"{variant}-{number:02}.json"), "w", encoding="utf-8") as out:
            json.dump(result, out)
    return max(number for _, number in files)


def cell(comparison):
    return f"{comparison['verdict']} {100 * (comparison['ratio'] - 1):+.2f} ({comparison['pairs']})"


def table(folder, rounds, kernelgate, rule):
    found = {}
    for variant in VARIANTS:
        sides = [[os.path.join(folder, f"{name}-{i:02}.json") for i in range(1, rounds + 1)]
                 for name in ("base", variant)]
        answer = subprocess.run([kernelgate, "compare", "--rule", rule, "--drop-first", "3", "--format", "json",
                                 "--base", *sides[0], "--head", *sides[1]], stdout=subprocess.PIPE, check=False)
        for comparison in json.loads(answer.stdout)["comparisons"]:
            found.setdefault(comparison["benchmark"], []).append(cell(comparison))
    print(f"| {rule} | " + " | ".join(VARIANTS) + " |\n|" + "---|" * (len(VARIANTS) + 1))
    for benchmark, cells in found.items():
        print(f"| {benchmark} | " + " | ".join(cells) + " |")


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    rounds = expand(sys.argv[1])
    for rule in ("pairs", "mwu_cliff"):
        if len(sys.argv) > 2:
            table(sys.argv[1], rounds, sys.argv[2], rule)


if __name__ == "__main__":
    main()
