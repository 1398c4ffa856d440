#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kernelgate_suite.py with plain callables on the host: kernelgate_suite_test.py."""

import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

import kernelgate_suite as ours

PROGRAM = """
import sys, time
sys.path.insert(0, {folder!r})
from kernelgate_suite import Case, Suite
suite = Suite()

@suite.bench(ms=[1, 3])
def sleep(ms):
    print("made", end="")
    return Case(lambda: time.sleep(ms / 1e3), check=lambda: (0.5 * (ms - 1), 1e-3), counters={{"ms": ms}})

@suite.bench()
def fails():
    def call():
        raise RuntimeError("no such kernel")
    return call

suite.add("plain", lambda: (lambda: None))
suite.main()
"""


def lines_of(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class TestProgram(unittest.TestCase):
    """As the runner starts it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "bench.py"
        self.file.write_text(PROGRAM.format(folder=str(Path(ours.__file__).parent)))

    def tearDown(self):
        self.folder.cleanup()

    def start(self, *words):
        return subprocess.run([sys.executable, self.file, *words], capture_output=True, text=True, timeout=60)

    def test_the_list_makes_nothing(self):
        ended = self.start("--list", "--sample-ms=0.5")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = [row["benchmark"] for row in lines_of(ended.stdout)]
        self.assertEqual(names, ["sleep/ms=1", "sleep/ms=3", "fails", "plain"])
        self.assertNotIn("made", ended.stdout)

    def test_chosen_benchmarks_are_timed(self):
        ended = self.start("--repetitions=4", "--sample-ms=2", "--filter=^(sleep/ms=3|fails)$")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        slept, failed = lines_of(ended.stdout)
        self.assertEqual(slept["benchmark"], "sleep/ms=3")
        self.assertEqual(len(slept["samples_ns"]), 4)
        self.assertTrue(all(ns > 2.9e6 for ns in slept["samples_ns"]), slept)
        self.assertEqual((slept["calls"], slept["by"], slept["counters"]), (1, "host", {"ms": 3}))
        self.assertEqual(failed, {"benchmark": "fails", "error": "RuntimeError: no such kernel"})
        self.assertTrue(ended.stdout.startswith("made\n{"), "a line of ours is whole whatever was printed before")

    def test_checks_fail_by_their_exit_code(self):
        ended = self.start("--check")
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(
            lines_of(ended.stdout),
            [
                {"name": "sleep/ms=1", "passed": True, "rel_err": 0.0, "bound": 1e-3},
                {"name": "sleep/ms=3", "passed": False, "rel_err": 1.0, "bound": 1e-3},
            ],
        )
        self.assertEqual(self.start("--check", "--filter=ms=1").returncode, 0)

    def test_a_flag_that_is_not_known_is_refused(self):
        self.assertNotEqual(self.start("--lst").returncode, 0)


class TestTiming(unittest.TestCase):
    def test_short_calls_fill_a_sample(self):
        timing = ours.time_on_host(lambda: None, 3, 0.002)
        self.assertGreater(timing.calls, 100)
        self.assertEqual(len(timing.samples_ns), 3)
        self.assertTrue(all(0 < ns < 1e5 for ns in timing.samples_ns), timing.samples_ns)
        self.assertEqual(ours.time_on_host(lambda: time.sleep(0.01), 2, 0.001).calls, 1)

    def test_calls_for_a_sample(self):
        self.assertEqual(ours.calls_for(0.001, 0.00025), 4)
        self.assertEqual(ours.calls_for(0.001, 0.1), 1)
        self.assertEqual(ours.calls_for(0.001, 0), ours.CALLS_MOST)

    def test_parts_hold_every_value(self):
        self.assertEqual(ours.parts_of([1, 3, 5, 7], 2), [2, 6])
        self.assertEqual(ours.parts_of([1, 2], 5), [1, 2])
        self.assertEqual(sum(len(str(part)) > 0 for part in ours.parts_of(list(range(100)), 7)), 7)

    def test_without_torch_nothing_of_it_is_used(self):
        self.assertNotIn("torch", sys.modules)
        self.assertEqual(ours.time_call(lambda: None, 2, 0.001).by, "host")

    def test_do_bench_is_grouped(self):
        asked = {}

        def do_bench(call, **options):
            asked.update(options)
            call()
            return [1.0, 1.0, 2.0, 2.0]

        timing = ours.time_do_bench(do_bench, lambda: None, 2, 0.5, warmup=7, quantiles=[0.5])
        self.assertEqual((timing.samples_ns, timing.calls, timing.by), ([1e6, 2e6], 2, "do_bench"))
        self.assertEqual(asked, {"warmup": 7, "rep": 1000, "return_mode": "all"})

    def test_answers_are_those_of_do_bench(self):
        self.assertEqual(ours.answer_of_do_bench([3, 1, 2]), 2)
        self.assertEqual(ours.answer_of_do_bench([3, 1, 2], return_mode="min"), 1)
        self.assertEqual(ours.answer_of_do_bench([4, 1, 2], return_mode="median"), 2)
        self.assertEqual(ours.answer_of_do_bench([1, 2], return_mode="all"), [1, 2])
        self.assertEqual(ours.answer_of_do_bench([3, 1, 2], quantiles=[0.5, 0, 1]), [2, 1, 3])
        self.assertEqual(ours.answer_of_do_bench([1, 2], quantiles=[0.5]), 1.5)

    def test_a_report_has_a_benchmark_for_each_point_and_line(self):
        benchmark = SimpleNamespace(plot_name="softmax", x_names=["M", "N"], x_vals=[(1, 2), 8], args={"d": 3})
        benchmark.line_arg, benchmark.line_vals = "by", ["triton"]
        mark = SimpleNamespace(benchmarks=benchmark, fn=None)
        self.assertEqual(
            dict(ours.mark_cases(mark)),
            {
                "softmax/M=1/N=2/by=triton": {"M": 1, "N": 2, "by": "triton", "d": 3},
                "softmax/M=8/N=8/by=triton": {"M": 8, "N": 8, "by": "triton", "d": 3},
            },
        )


class TestSuite(unittest.TestCase):
    def test_names_are_unique(self):
        suite = ours.Suite()
        suite.add("a", lambda: None)
        with self.assertRaises(ValueError):
            suite.add("a", lambda: None)

    def test_checks_say_what_is_wrong(self):
        def raises():
            raise AssertionError("rows differ")

        nan = float("nan")
        for check, want in (
            (lambda: None, {"passed": True}),
            (lambda: True, {"passed": True}),
            (lambda: False, {"passed": False, "text": ""}),
            (lambda: "too large", {"passed": False, "text": "too large"}),
            (lambda: (nan, 1), {"passed": False, "rel_err": None, "bound": 1.0}),
            (raises, {"passed": False, "text": "AssertionError: rows differ"}),
        ):
            self.assertEqual(ours.verdict_of(ours.Case(None, check=check)), want)
        self.assertIsNone(ours.verdict_of(ours.Case(None)))

    def test_the_filter_is_what_the_runner_sends(self):
        suite, out = ours.Suite(), io.StringIO()
        for name in ("a+b", "a/n=1", "a/n=10"):
            suite.add(name, lambda: None)
        with contextlib.redirect_stdout(out):
            suite.main(["--list", "--filter=^(a\\+b|a/n=1)$"])
        self.assertEqual([row["benchmark"] for row in lines_of(out.getvalue())], ["a+b", "a/n=1"])
        self.assertTrue(re.fullmatch(r"(\n\{.*\}\n)+", out.getvalue()))


if __name__ == "__main__":
    unittest.main()
