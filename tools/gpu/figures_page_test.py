#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/GPU_FIGURES.md against the files of baselines/h200 that it names: figures follow from the data."""

import json
import pathlib
import statistics
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = " ".join((ROOT / "docs/GPU_FIGURES.md").read_text(encoding="utf-8").split())


def data(name):
    return json.loads((ROOT / "baselines/h200" / name).read_text(encoding="utf-8"))


def three(value):
    """Three digits, as the page has them: 33.7, 103, 2.14."""
    return f"{value:#.3g}".rstrip(".")


class PageTest(unittest.TestCase):
    def says(self, *texts):
        for text in texts:
            self.assertIn(text, PAGE)

    def test_the_whole_path(self):
        seconds = data("gpu-check-3.json")["seconds"]
        steps = {step["step"]: step for step in data("gpu-check-3.json")["steps"]}
        self.assertTrue(all(step["passed"] for step in steps.values()))
        self.says(f"({seconds:.0f} s; limit 540)", f"as expected in {steps['replay']['seconds']:.0f} s:")

    def test_unchanged_code(self):
        told = data("aa.json")
        verdicts = [one["verdict"] for run in told["runs"] for one in run["comparisons"]]
        cost = statistics.median(run["cost"]["held_s"] / len(run["comparisons"]) for run in told["runs"])
        parts = told["last_run_seconds"]
        start = parts["process_start_s"] / told["runs"][-1]["seconds"]["processes"]
        self.assertEqual(set(verdicts), {"unchanged"})
        self.says(f"**{len(verdicts)} of {len(verdicts)} unchanged**", f"**{cost:.2f} s a verdict**",
                  f"process starts {parts['process_start_s']:.1f} s ({start:.2f} s each)")

    def test_injected_slowdowns(self):
        rows = {}
        for row in data("injected.json")["rows"]:
            rows.setdefault(row["benchmark"], []).append(row)
        for name, row in rows.items():
            cells = []
            for cell in sorted(row, key=lambda one: one["work_permille"]):
                percent = 100 * (cell["long_run_ratio"] - 1)
                cells.append(f"{percent:+.2f}" if percent < 10 else f"{percent:+.1f}")
                cells[-1] += f" {cell['verdict']} ({cell['pairs']})"
                self.assertTrue(percent < 3 or cell["verdict"] == "regressed", name)
                self.assertTrue(percent > 1 or cell["verdict"] == "unchanged", name)
            base = three(statistics.median(cell["base_us"] for cell in row))
            self.says(f"| {name} | {base} | " + " | ".join(cells) + " |")

    def test_the_suites_at_hand(self):
        suites = data("characterize.json")["suites"]
        benchmarks = [one for suite in suites for one in suite["benchmarks"]]
        self.assertTrue(all(one["samples"] == 100 and one["processes"] == 10 for one in benchmarks))
        self.says(f"{len(benchmarks)} benchmarks, 100 samples in 10 processes each",
                  f"all {sum(suite['checks']['cases'] for suite in suites)} check cases passed",
                  f"{sum(suite['gpu_s'] for suite in suites):.1f} s of processes")

    def test_parts_of_a_product(self):
        told = data("hopper_parts-2.json")["benchmarks"]
        ranges = [100 * (max(one["us"]) - min(one["us"])) / statistics.median(one["us"]) for one in told.values()]
        rates = {kind: sorted(one["tflops_median"] for name, one in told.items() if f"wgmma_shared/{kind}/" in name)
                 for kind in ("fp16", "bf16")}
        self.says(f"{len(told)} benchmarks",
                  f"{statistics.median(ranges):.2f} % in the middle, {max(ranges):.1f} % at most",
                  f"{rates['fp16'][0]:.0f} to {rates['fp16'][-1]:.0f} (fp16)",
                  f"{rates['bf16'][0]:.0f} to {rates['bf16'][-1]:.0f} (bf16)")


if __name__ == "__main__":
    unittest.main()
