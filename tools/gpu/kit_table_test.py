#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of kit_table.py."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit_table import Table, sd_percent, spread_percent  # noqa: E402


class TableTest(unittest.TestCase):
    def test_counts_what_failed(self):
        table = Table()
        table.row("check", "memory", True, "10 cases")
        table.row("check", "gemm", [], "two\nlines")
        self.assertEqual(table.failed, 1)
        self.assertIn("PASS  check     memory", table.text())
        self.assertIn("two lines", table.text())
        self.assertTrue(table.text().endswith("1 passed, 1 failed"))

    def test_spread_is_the_interquartile_range(self):
        self.assertEqual(spread_percent([5.0]), 0)
        self.assertAlmostEqual(spread_percent([98.0, 99.0, 100.0, 101.0, 102.0]), 3.0)

    def test_standard_deviation_needs_two_values(self):
        self.assertTrue(math.isnan(sd_percent([5.0])))
        self.assertAlmostEqual(sd_percent([99.0, 100.0, 101.0]), 1.0)


if __name__ == "__main__":
    unittest.main()
