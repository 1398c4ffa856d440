#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of hopper_parts_bench: parts.py FILE.json … (Google Benchmark's --benchmark_out).

TB/s of loads by box and boxes on their way, TFLOP/s of matrix instructions by N; medians of the repetitions."""

import collections
import json
import re
import statistics
import sys

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def series_of(paths):
    """Name to the rates of its repetitions, in units a second; and what failed."""
    rates, errors = collections.defaultdict(list), {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for one in json.load(file)["benchmarks"]:
                name = one["run_name"].removesuffix("/manual_time")
                if one.get("error_occurred"):
                    errors[name] = one["error_message"]
                elif one.get("run_type") == "iteration":
                    seconds = one["real_time"] * SECONDS[one["time_unit"]]
                    rates[name].append((one["bytes"] if name.startswith("tma_load") else one["flops"]) / seconds)
    return rates, errors


def tables(rates):
    """Title to (rows, columns, cells): {(row, column): text}."""
    found = collections.defaultdict(dict)
    for name, values in rates.items():
        text = f"{statistics.median(values) / 1e12:.3g}"
        load = re.fullmatch(r"tma_load/box:(\w+)/stages:(\d+)/(\w+)", name)
        issue = re.fullmatch(r"mma_issue/(\w+)/(\w+)/n:(\d+)/groups:(\d+)/warm", name)
        if load:
            found[f"TB/s, {load[3]}: box (rows x columns) by boxes on their way"][(load[1], int(load[2]))] = text
        elif issue:
            found["TFLOP/s: instruction and type by N / warpgroups of a block"][
                (f"{issue[1]} {issue[2]}", f"{issue[3]}/{issue[4]}")] = text
    return found


def print_table(title, cells):
    rows = list(dict.fromkeys(row for row, _ in cells))
    columns = sorted({column for _, column in cells}, key=lambda c: [int(part) for part in str(c).split("/")])
    width = max(len(row) for row in rows)
    print(f"\n{title}\n{'':{width}}" + "".join(f"{column!s:>9}" for column in columns))
    for row in rows:
        print(f"{row:{width}}" + "".join(f"{cells.get((row, column), '-'):>9}" for column in columns))


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    rates, errors = series_of(paths)
    for title, cells in tables(rates).items():
        print_table(title, cells)
    counts = sorted({len(values) for values in rates.values()})
    spread = [100 * (max(v) - min(v)) / statistics.median(v) for v in rates.values()]
    if spread:
        print(f"\n{len(rates)} benchmarks, {'/'.join(map(str, counts))} repetitions; range over median: "
              f"{statistics.median(spread):.2f} % in the middle, {max(spread):.2f} % at most")
    for name, error in errors.items():
        print(f"FAILED {name}: {error}")
    return 1 if errors or not rates else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
