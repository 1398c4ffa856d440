#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of examples/replay_softmax and examples/replay_cuda without a GPU.

  replay_steps_test.py             every patch applies, and each attempt changes what it says
  replay_steps_test.py --compile   each step compiles or not, as steps.json expects; needs nvcc, g++, libbenchmark
  replay_steps_test.py --on-cpu examples/replay_cuda/on_cpu.cpp
                                   the broken attempts err by the same value; needs nvcc, g++"""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SOFTMAX, CUDA = "replay_softmax", "replay_cuda"
SOFTMAX_KERNEL = "kernels/softmax/softmax.cu"
BSR = "kernels/bsr_gemm/cuda/"
NO_CARD_EXIT = 3
JOBS = 2  # compilers at once


def run(argv, folder, text=None):
    return subprocess.run(argv, cwd=folder, input=text, capture_output=True, text=True, check=False)


def read(folder, path):
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        return file.read()


def write_step(replay, step, folder, first):
    """The files of `step` over those in `folder`."""
    if first:
        shutil.copytree(os.path.join(replay, "repository"), folder, dirs_exist_ok=True)
    for path in step.get("add", []):
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, path), os.path.join(folder, path))
    if "patch" in step:
        applied = run(["git", "apply", "-"], folder, read(replay, os.path.join("steps", step["patch"])))
        if applied.returncode:
            raise AssertionError(f"{step['patch']}: {applied.stderr}")


def changed(one, other):
    """Paths of the files that differ."""
    said = run(["git", "diff", "--no-index", "--name-only", one, other], os.path.dirname(one)).stdout.split()
    return sorted({os.path.relpath(path, one if path.startswith(one) else other) for path in said})


def missing_headers(folder):
    """What the kernels of a tree include and no step has added."""
    here = pathlib.Path(folder)
    wanted = {name for path in here.rglob("kernels/**/*.*")
              for name in re.findall(r'^#include "(kernels/.*?)"', path.read_text(encoding="utf-8"), re.MULTILINE)}
    return sorted(name for name in wanted if not (here / name).exists())


class Replay(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="kernelgate-replay-")
        self.addCleanup(shutil.rmtree, self.work)

    def stories(self, name):
        """[(step, folder with the tree of its commit, folder with the one it branches off)]"""
        replay = os.path.join(ROOT, "examples", name)
        tip, told = None, []
        for number, step in enumerate(json.loads(read(replay, "steps.json"))["steps"], 1):
            folder = os.path.join(self.work, name, str(number))
            if tip:
                shutil.copytree(tip, folder)
            write_step(replay, step, folder, number == 1)
            told.append((step, folder, tip))
            if step["branch"] == "main":
                tip = folder
        return told


class PatchesTest(Replay):
    def assert_outcomes(self, told, outcomes):
        self.assertEqual([step["expected"] for step, _, _ in told], outcomes.split())
        for step, folder, _ in told:
            self.assertLessEqual(len(step["title"]), 50)
            self.assertIn("[[suite]]", read(folder, "kernelgate.toml"))
            self.assertEqual(missing_headers(folder), [], step["title"])

    def test_every_step_of_the_softmax_applies(self):
        self.assert_outcomes(self.stories(SOFTMAX), "added improved regressed broken crashed timed_out identical "
                                                    "identical invalid build_failed regressed")

    def test_every_step_of_the_block_sparse_product_applies(self):
        told = self.stories(CUDA)
        self.assert_outcomes(told, "added regressed improved broken broken broken regressed regressed build_failed "
                                   "crashed improved improved regressed")
        self.assertEqual([step.get("same_failure_as") for step, _, _ in told[3:6]], [None, 4, 4])

    def test_attempts_on_the_block_sparse_product_change_its_kernel_alone(self):
        told = self.stories(CUDA)
        for _, folder, before in told[3:10]:
            self.assertEqual(changed(before, folder), [BSR + "vectorized.cu"])
        self.assertEqual(changed(told[12][2], told[12][1]), [BSR + "wgmma_tile.cuh"])

    def test_the_comment_moves_no_line_and_the_words_touch_no_input(self):
        for step, folder, before in self.stories(SOFTMAX):
            if step["branch"] == "attempt/comment":
                old, new = (read(tree, SOFTMAX_KERNEL).splitlines() for tree in (before, folder))
                self.assertEqual(len(new), len(old))
                self.assertEqual([line.split("//")[0] for line in new], [line.split("//")[0] for line in old])
            if step["branch"] in ("attempt/readme", "attempt/few-blocks"):
                self.assertNotIn(SOFTMAX_KERNEL, changed(before, folder))  # the launch is the host's alone


class AttentionSweepTest(unittest.TestCase):
    """examples/attention_sweep: the commit that leaves one point of its matrix standing."""
    FOLDER = os.path.join(ROOT, "examples", "attention_sweep")

    def points(self, manifest):
        axes = re.search(r"^axes = \{(.*)\}$", read(self.FOLDER, manifest), re.MULTILINE).group(1)
        lists = dict(re.findall(r"(\w+) = \[([^\]]*)\]", axes))
        return list(itertools.product(*([int(value) for value in lists[axis].split(",")]
                                        for axis in ("BLOCK_M", "BLOCK_N", "NUM_WARPS", "STAGES"))))

    @staticmethod
    def refused(point, padding, depth=64):
        block_m, block_n, num_warps, stages = point
        return (block_m % (16 * num_warps) != 0 or block_m // num_warps // 16 * (block_n + depth) // 2 > 224
                or (block_m + 2 * stages * block_n) * (depth + padding) * 2 > 227 * 1024)

    def test_fifty_two_of_seventy_two_points_work(self):
        points = self.points("kernelgate.toml")
        self.assertEqual([len(points), sum(not self.refused(point, 0) for point in points)], [72, 52])

    def test_the_broken_commit_applies_and_leaves_one_point(self):
        patch = read(self.FOLDER, "broken.patch")
        self.assertEqual(run(["git", "apply", "--check", "-"], ROOT, patch).stderr, "")
        self.assertIn("block_m / 64 + tuning.block_n / 64 + tuning.num_warps / 4 + tuning.stages - 4", patch)
        outcomes = {"works": [], "misaligned": [], "refused": []}
        for block_m, block_n, num_warps, stages in self.points("broken.toml"):
            point = (block_m, block_n, num_warps, stages)
            padding = block_m // 64 + block_n // 64 + num_warps // 4 + stages - 4
            what = "refused" if self.refused(point, padding) else "misaligned" if padding * 2 % 16 else "works"
            outcomes[what].append(point)
        self.assertEqual(outcomes["works"], [(64, 64, 4, 1)])
        self.assertEqual([len(outcomes["misaligned"]), len(outcomes["refused"])], [29, 24])


class CompileTest(Replay):
    def compiled(self, name, arch, sources_of):
        """{branch of an attempt, or "main" for the last commit there: what ptxas says of its kernels}"""
        def compile_all(story):
            step, folder, _ = story
            said = [run([shutil.which("nvcc"), "-std=c++20", "-O3", "-lineinfo", "-gencode", arch, "-I.", "-Xptxas=-v",
                         "-c", source, "-o", os.path.join(folder, f"{number}.o")], folder)
                    for number, source in enumerate(sources_of(folder))]
            return step, all(done.returncode == 0 for done in said), "".join(done.stderr for done in said)
        notes = {}
        with ThreadPoolExecutor(JOBS) as pool:
            for step, built, text in pool.map(compile_all, self.stories(name)):
                self.assertEqual(built, step["expected"] != "build_failed", step["title"] + text)
                notes[step["branch"]] = text
        return notes

    def assert_spills(self, notes, branch):
        self.assertRegex(notes["main"], " 0 bytes spill stores")
        self.assertNotRegex(notes["main"], r" [1-9]\d* bytes spill stores")
        self.assertRegex(notes[branch], r" [1-9]\d+ bytes spill stores")

    def test_each_step_of_the_softmax_compiles_or_not_as_expected(self):
        notes = self.compiled(SOFTMAX, "arch=compute_90,code=sm_90", lambda _: [SOFTMAX_KERNEL])
        self.assert_spills(notes, "attempt/row-in-registers")

    def test_each_step_of_the_block_sparse_product_compiles_or_not_as_expected(self):
        def sources_of(folder):
            return re.search(r'^product="([^"]*)"', read(folder, "build.sh"), re.MULTILINE).group(1).split()
        notes = self.compiled(CUDA, "arch=compute_90a,code=sm_90a", sources_of)
        self.assert_spills(notes, "sweep/sums-16x8")
        self.assertIn("one piece a thread", notes["sweep/sums-8x8"])

    def assert_builds_programs_that_ask_for_a_card(self, name, branch, program, benchmarks):
        folder = [folder for step, folder, _ in self.stories(name) if step["branch"] == branch][-1]
        build = os.path.join(self.work, "build")
        done = run(["sh", os.path.join(folder, "build.sh"), folder, build], self.work)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        listed = run([os.path.join(build, program + "_bench"), "--benchmark_list_tests=true"], build)
        self.assertEqual(len(listed.stdout.split()), benchmarks)
        without = subprocess.run([os.path.join(build, program + "_check")], env={"CUDA_VISIBLE_DEVICES": ""},
                                 capture_output=True, text=True, check=False)
        self.assertEqual(without.returncode, NO_CARD_EXIT)
        self.assertIn("no CUDA device can be used", without.stderr)

    def test_the_script_of_the_softmax_builds_both_programs(self):
        self.assert_builds_programs_that_ask_for_a_card(SOFTMAX, "main", "softmax", 2)

    def test_the_script_of_the_block_sparse_product_builds_both_programs(self):
        self.assert_builds_programs_that_ask_for_a_card(CUDA, "attempt/two-stages", "bsr_gemm", 1)


class OnCpuTest(Replay):
    def errors(self, folder):
        """What the vectorized kernel of a tree gets wrong: [(case, relative error in nine digits)]"""
        text = read(folder, BSR + "vectorized.cu")
        kernel = text[text.index("constexpr int kThreads"):text.index("template <class T>\nLaunch prepare(")]
        with open(os.path.join(folder, "kernel.inc"), "w", encoding="utf-8") as file:
            # g++ wants the two in this order
            file.write(kernel.replace("__shared__ alignas(16)", "alignas(16) __shared__"))
        program = os.path.join(folder, "on_cpu")
        # nvcc hands a .cpp file to g++ with the path to CUDA's headers, which need not lie beside the nvcc of PATH
        done = run([shutil.which("nvcc"), "-ccbin", "g++", "-std=c++20", "-O2", "-w", "-Xcompiler",
                    "-fno-strict-aliasing", "-I.", '-DKERNEL="kernel.inc"', sys.argv[2],
                    "kernels/bsr_gemm/generate.cpp", "kernels/bsr_gemm/reference.cpp", "-o", program, "-lpthread"],
                   folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split() for line in run([program], folder).stdout.splitlines()]

    def test_the_broken_attempts_lose_the_same_slice(self):
        errors = {step["title"]: self.errors(folder) for step, folder, _ in self.stories(CUDA)[2:8]}
        good, double_buffered, pipelined, two_tiles, transposed, spilling = errors.values()
        self.assertEqual(len(good), 2)
        for _, error in good:
            self.assertLess(float(error), 2**-11)
        for _, error in double_buffered:
            self.assertGreater(float(error), 0.1)
        self.assertEqual([pipelined, two_tiles], [double_buffered] * 2)
        self.assertEqual([transposed, spilling], [good] * 2)


if __name__ == "__main__":
    tests = {"--compile": "CompileTest", "--on-cpu": "OnCpuTest"}
    plain = ["PatchesTest", "AttentionSweepTest"]
    unittest.main(argv=sys.argv[:1], defaultTest=[tests[sys.argv[1]]] if sys.argv[1:] else plain)
