#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of parts.py."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import parts  # noqa: E402


def repetition(name, **more):
    return {"run_name": name + "/manual_time", "run_type": "iteration", "real_time": 50.0, "time_unit": "us", **more}


class PartsTest(unittest.TestCase):
    def printed(self, *benchmarks):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file, io.StringIO() as out:
            json.dump({"benchmarks": benchmarks}, file)
            file.flush()
            with contextlib.redirect_stdout(out):
                code = parts.main([file.name])
            return code, out.getvalue()

    def test_rates_stand_in_tables(self):
        code, text = self.printed(repetition("tma_load/box:16x64/stages:2/cold", bytes=2e8),
                                  repetition("mma_issue/wgmma_shared/bf16/n:256/groups:1/warm", flops=3e10))
        self.assertEqual(code, 0)
        self.assertRegex(text, r"TB/s, cold.*\n +2\n16x64 +4\n")
        self.assertRegex(text, r"256/1\nwgmma_shared bf16 +600\n")

    def test_what_failed_is_said(self):
        code, text = self.printed({"run_name": "tma_load/x", "error_occurred": True, "error_message": "needs sm_90"})
        self.assertEqual((code, text), (1, "FAILED tma_load/x: needs sm_90\n"))


if __name__ == "__main__":
    unittest.main()
