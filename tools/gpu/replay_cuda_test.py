#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of examples/replay_cuda without a card.

  replay_cuda_test.py             every patch applies, and each attempt changes what it says
  replay_cuda_test.py --compile   each step compiles or not, as steps.json expects (needs nvcc, g++ and libbenchmark)"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
REPLAY = os.path.join(ROOT, "examples", "replay_cuda")
KERNEL = "kernels/softmax/softmax.cu"
NO_CARD_EXIT = 3


def load_steps():
    with open(os.path.join(REPLAY, "steps.json"), encoding="utf-8") as file:
        return json.load(file)["steps"]


def run(argv, folder, text=None):
    return subprocess.run(argv, cwd=folder, input=text, capture_output=True, text=True, check=False)


def write_step(step, folder, first):
    """The files of `step` over those in `folder`."""
    if first:
        shutil.copytree(os.path.join(REPLAY, "repository"), folder, dirs_exist_ok=True)
    for path in step.get("add", []):
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, path), os.path.join(folder, path))
    if "patch" in step:
        with open(os.path.join(REPLAY, "steps", step["patch"]), encoding="utf-8") as patch:
            applied = run(["git", "apply", "-"], folder, patch.read())
        if applied.returncode:
            raise AssertionError(f"{step['patch']}: {applied.stderr}")


def read(folder, path):
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        return file.read()


class Replay(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="kernelgate-replay-")
        self.addCleanup(shutil.rmtree, self.work)

    def stories(self):
        """(step, folder with the tree of its commit), one after the other in the same folder."""
        folder, good = os.path.join(self.work, "source"), os.path.join(self.work, "good")
        for number, step in enumerate(load_steps(), 1):
            if step["branch"] != "main":
                if not os.path.exists(good):
                    shutil.copytree(folder, good)
                shutil.rmtree(folder)
                shutil.copytree(good, folder)
            write_step(step, folder, number == 1)
            yield step, folder


class PatchesTest(Replay):
    def test_every_step_applies_and_has_a_short_title(self):
        outcomes = []
        for step, folder in self.stories():
            outcomes.append(step["expected"])
            self.assertLessEqual(len(step["title"]), 50)
            self.assertIn("[[suite]]", read(folder, "kernelgate.toml"))
        self.assertEqual(outcomes, "added improved regressed broken crashed timed_out identical identical invalid "
                                   "build_failed regressed".split())

    def test_the_comment_moves_no_line_and_the_words_touch_no_input(self):
        good = ""
        for step, folder in self.stories():
            if step["branch"] == "main":
                good = read(folder, KERNEL)
            if step["branch"] == "attempt/comment":
                lines = read(folder, KERNEL).splitlines()
                changed = [(a, b) for a, b in zip(good.splitlines(), lines) if a != b]
                self.assertEqual(len(lines), len(good.splitlines()))
                self.assertEqual([a.split("//")[0] for a, _ in changed], [b.split("//")[0] for _, b in changed])
            if step["branch"] in ("attempt/readme", "attempt/few-blocks"):
                self.assertEqual(read(folder, KERNEL), good)  # the launch is the host's alone


class CompileTest(Replay):
    def test_each_step_compiles_or_not_as_expected(self):
        nvcc = shutil.which("nvcc")
        objects = {}
        for step, folder in self.stories():
            out = os.path.join(self.work, "kernel.o")
            done = run([nvcc, "-std=c++20", "-O3", "-lineinfo", "-arch=sm_90", "-I.", "-Xptxas=-v", "-c", KERNEL, "-o",
                        out], folder)
            self.assertEqual(done.returncode == 0, step["expected"] != "build_failed", step["title"] + done.stderr)
            objects[step["branch"]] = done.stderr
        self.assertRegex(objects["main"], " 0 bytes spill stores")
        self.assertRegex(objects["attempt/row-in-registers"], r" [1-9]\d+ bytes spill stores")

    def test_the_script_builds_both_programs_and_they_ask_for_a_card(self):
        step, folder = next(self.stories())
        build = os.path.join(self.work, "build")
        done = run(["sh", os.path.join(folder, "build.sh"), folder, build], self.work)
        self.assertEqual(done.returncode, 0, step["title"] + done.stdout + done.stderr)
        listed = run([os.path.join(build, "softmax_bench"), "--benchmark_list_tests=true"], build)
        self.assertEqual(len(listed.stdout.split()), 2)
        without = subprocess.run([os.path.join(build, "softmax_check")], env={"CUDA_VISIBLE_DEVICES": ""},
                                 capture_output=True, text=True, check=False)
        self.assertEqual(without.returncode, NO_CARD_EXIT)
        self.assertIn("no CUDA device can be used", without.stderr)


if __name__ == "__main__":
    compiles = "--compile" in sys.argv
    unittest.main(argv=sys.argv[:1], defaultTest="CompileTest" if compiles else "PatchesTest")
