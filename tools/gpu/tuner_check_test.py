#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what tuner_check.py makes of a suite's rows."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tuner_check  # noqa: E402

PROBLEM = "fp16/8192/bs:64/density:0.125/warm/manual_time"


def row(variant, time_us, **more):
    return {"run_name": f"bsr_gemm/{variant}/{PROBLEM}", "run_type": "iteration", "real_time": time_us, **more}


class TunerCheckTest(unittest.TestCase):
    def test_candidates_are_those_that_do_not_choose_and_ran(self):
        rows = [row("tuned", 1), row("wgmma", 2), row("wgmma-64x512x64", 3), row("wgmma-64x512x64", 5), row("dense", 9),
                row("cusparse", 0, error_occurred=True), {**row("wmma", 7), "run_type": "aggregate"}]
        self.assertEqual(tuner_check.by_problem(rows), {PROBLEM: {"wgmma/64x512x64": 4, "dense": 9}})

    def test_leaders_are_the_fastest_few(self):
        self.assertEqual(tuner_check.leaders_of({"a": 105, "b": 100, "c": 109, "d": 200}), ["b", "a"])
        self.assertEqual(tuner_check.leaders_of({name: 100 for name in "abcde"}), ["a", "b", "c"])

    def test_the_choice_stands_in_the_label(self):
        rows = [row("tuned", 1, label="grid 1x1x1 smem 0 configuration=wgmma/64x512x64"), row("wgmma", 1, label="")]
        self.assertEqual(tuner_check.chosen_of(rows), {PROBLEM: "wgmma/64x512x64"})


if __name__ == "__main__":
    unittest.main()
