#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the table of gpu-check: whatever a step does, its line says so and the exit code follows."""

import json
import pathlib
import runpy
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from gpu.steps import Step  # noqa: E402
from gpu.table import Failure, Table  # noqa: E402


def holds(_, figures):
    figures["n"] = 3
    return "fine"


def fails(_, figures):
    figures["seen"] = "unchanged"
    raise Failure("unchanged, not regressed")


def breaks(_, __):
    return {}["absent"]


class TableTest(unittest.TestCase):
    def run_steps(self, *steps):
        with tempfile.TemporaryDirectory() as folder:
            table = Table(pathlib.Path(folder) / "out")
            for number, step in enumerate(steps):
                table.run(Step(f"step{number}", "", step), None)
            code = table.finish({"card": "none"})
            return code, json.loads((pathlib.Path(folder) / "out/results.json").read_text(encoding="utf-8"))

    def test_tracks_run_beside_each_other_and_in_order_within(self):
        seen = []
        met = threading.Barrier(2, timeout=20)  # breaks, and so fails the step, if one track waits for the other

        def meets(_, __):
            met.wait()
            seen.append("met")
            return "met"

        def later(_, __):
            seen.append("later")
            return "later"

        with tempfile.TemporaryDirectory() as folder:
            table = Table(pathlib.Path(folder) / "out")
            table.run_all([Step("a", "", holds), Step("b", "", meets, track="x"), Step("c", "", meets, track="y"),
                           Step("d", "", later, track="x"), Step("e", "", holds)], None)
            self.assertEqual([line["passed"] for line in table.lines], [True] * 5)
            self.assertEqual((table.lines[0]["step"], table.lines[-1]["step"]), ("a", "e"))
            self.assertEqual(seen.count("met"), 2)
            self.assertNotEqual(seen[0], "later")

    def test_all_pass(self):
        code, told = self.run_steps(holds, holds)
        self.assertEqual(code, 0)
        self.assertEqual([line["figures"] for line in told["steps"]], [{"n": 3}, {"n": 3}])

    def test_a_failure_keeps_its_figures(self):
        code, told = self.run_steps(holds, fails, holds)
        self.assertEqual(code, 1)
        self.assertEqual([line["passed"] for line in told["steps"]], [True, False, True])
        self.assertEqual(told["steps"][1]["says"], "unchanged, not regressed")
        self.assertEqual(told["steps"][1]["figures"], {"seen": "unchanged"})

    def test_a_step_that_breaks_has_not_passed(self):
        code, told = self.run_steps(breaks)
        self.assertEqual(code, 1)
        self.assertIn("KeyError", told["steps"][0]["says"])

    def test_nothing_run_is_no_pass(self):
        self.assertEqual(self.run_steps()[0], 1)


class CommandLineTest(unittest.TestCase):
    TOOL = pathlib.Path(__file__).resolve().parent.parent / "gpu-check"

    def test_paths_are_the_callers_and_defaults_the_trees(self):
        parse = runpy.run_path(str(self.TOOL))["parse"]
        given = parse(["--kernelgate", "kernelgate", "--out", "../out"])
        self.assertEqual(given.kernelgate, pathlib.Path.cwd() / "kernelgate")
        self.assertTrue(given.out.is_absolute())
        self.assertEqual(given.build, pathlib.Path("build/gpu"))

    def test_without_a_card_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, self.TOOL, "--out", "out"], cwd=folder, capture_output=True,
                                 text=True, env={"PATH": folder, "CUDA_HOME": folder}, check=False)
            self.assertEqual(ran.returncode, 2)
            self.assertIn("finds no GPU", ran.stderr)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_recording_finds_cuda_beside_path_and_says_what_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = pathlib.Path(folder)
            (programs / "bin").mkdir()
            for name in ("kernelgate", "cmake", "ninja", "git", "bin/nvcc"):
                (programs / name).symlink_to("/bin/true")
            script = self.TOOL.parent / "gpu/record_baselines.sh"
            ran = subprocess.run(["/bin/sh", script, "kernelgate", "out"], cwd=folder, capture_output=True, text=True,
                                 env={"PATH": folder, "CUDA_HOME": folder}, check=False)
            self.assertEqual((ran.returncode, ran.stderr.strip()),
                             (2, "record_baselines.sh: nvidia-smi is not there, or no program"))


if __name__ == "__main__":
    unittest.main()
