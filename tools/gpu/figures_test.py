#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of figures_math.py, and of the repository that figures.py judges."""
import math
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import figures  # noqa: E402
import figures_math as math_of  # noqa: E402


def comparison(benchmark, verdict, base_ns=5000.0):
    return {"suite": "memory", "benchmark": benchmark, "verdict": verdict, "ratio": 1.03, "pairs": 5, "gpu_s": 1.5,
            "base_median_ns": base_ns}


class MathTest(unittest.TestCase):
    def test_long_run_ratio_and_its_error(self):
        truth = math_of.long_run_ratio([100.0, 100.0, 100.0], [103.0, 103.0, 103.0])
        self.assertAlmostEqual(truth["ratio"], 1.03)
        self.assertEqual((truth["se"], truth["n_base"], truth["n_head"]), (0, 3, 3))
        spread = math_of.long_run_ratio([99.0, 101.0], [99.0, 101.0])
        self.assertAlmostEqual(spread["ratio"], 1)
        self.assertAlmostEqual(spread["se"], math.log(101 / 99) / math.sqrt(2), 6)

    def test_aa_holds_without_a_regression_and_with_few_undecided(self):
        def runs(verdicts):
            return [{"comparisons": [comparison(f"b{i}", verdict) for i, verdict in enumerate(verdicts)]}]
        self.assertTrue(math_of.aa_summary(runs(["unchanged"] * 49 + ["undecided"]))["holds"])
        self.assertFalse(math_of.aa_summary(runs(["unchanged"] * 48 + ["undecided"] * 2))["holds"])
        self.assertFalse(math_of.aa_summary(runs(["unchanged"] * 99 + ["regressed"]))["holds"])
        self.assertFalse(math_of.aa_summary([])["holds"])

    def test_a_verdict_is_held_against_the_long_run_ratio(self):
        table = [(1.031, "regressed", "caught"), (1.031, "suspected", "missed"), (1.009, "regressed", "false alarm"),
                 (1.009, "unchanged", "fine"), (0.9, "improved", "fine"), (1.02, "regressed", "either"),
                 (1.02, "unchanged", "either")]
        for ratio, verdict, expected in table:
            self.assertEqual(math_of.judged({"ratio": ratio}, verdict), expected, (ratio, verdict))

    def test_injected_needs_six_kernels_and_none_missed(self):
        truths = {f"b{i}": {"ratio": 1.04, "se": 0.001, "n_head": 20} for i in range(6)}
        run = {"comparisons": [comparison(f"b{i}/manual_time", "regressed") for i in range(7)]}
        rows = math_of.injected_rows(run, 30, truths)
        self.assertEqual(len(rows), 6)  # the long-run ratio of the seventh is not known
        self.assertTrue(math_of.injected_summary(rows)["holds"])
        self.assertFalse(math_of.injected_summary(rows[:5])["holds"])
        rows[0]["judged"] = "missed"
        self.assertFalse(math_of.injected_summary(rows)["holds"])

    def test_time_shares_add_up_to_the_wall_time(self):
        shares = math_of.time_shares(wall_s=20, held_s=15, process_s=12, start_s=6, kernel_s=2)
        parts = [value for name, value in shares.items() if name not in ("wall_s", "card_held_s")]
        self.assertEqual(sum(parts), 20)


class RepositoryTest(unittest.TestCase):
    def test_each_commit_changes_one_line_of_one_file(self):
        folder = tempfile.mkdtemp(prefix="kernelgate-figures-")
        self.addCleanup(shutil.rmtree, folder)
        repository = figures.Repository(os.path.join(folder, "repository"))
        self.assertEqual(set(repository.commits), {"base", "docs", "aa", *figures.PERMILLES})
        for name, commit in repository.commits.items():
            if name != "base":
                changed = repository.git("diff", "--numstat", repository.commits["base"], commit).split()
                self.assertEqual(changed[:2], ["1", "1"], name)
                self.assertEqual(len(changed), 3, name)
                self.assertEqual(changed[2] == "README.md", name == "docs")


if __name__ == "__main__":
    unittest.main()
