#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""replay_test.py KERNELGATE: plays the whole story through hook, server and runner over real sockets, and holds every
outcome, and what the store kept of it, against what the story expects."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

KERNELGATE = sys.argv.pop()
EXPECTED = ["added", "improved", "improved", "regressed", "broken", "broken", "crashed", "timed_out", "build_failed",
            "identical", "regressed"]
EXIT_CODES = [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1]
SECONDS_MAX = 300


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kernelgate-replay-", ignore_cleanup_errors=True)
        cls.work = os.path.join(cls.folder.name, "a folder with spaces")
        start = time.monotonic()
        cls.done = subprocess.run([KERNELGATE, "demo", "--exit", "--format", "json", "--work", cls.work],
                                  capture_output=True, text=True, timeout=800)
        cls.seconds = time.monotonic() - start
        sys.stderr.write(cls.done.stderr)
        cls.attempts = json.loads(cls.done.stdout)["attempts"] if cls.done.stdout else []

    @classmethod
    def tearDownClass(cls):
        # Sealed builds are read-only.
        for folder, _, _ in os.walk(cls.folder.name):
            os.chmod(folder, 0o700)
        cls.folder.cleanup()

    def rows(self, query, *values):
        with sqlite3.connect(os.path.join(self.work, "kernelgate.db")) as store:
            return store.execute(query, values).fetchall()

    def test_every_outcome_is_the_expected_one(self):
        self.assertEqual([attempt["outcome"] for attempt in self.attempts], EXPECTED)
        self.assertEqual([attempt["exit_code"] for attempt in self.attempts], EXIT_CODES)
        self.assertTrue(all(attempt["as_expected"] for attempt in self.attempts))
        self.assertEqual(self.done.returncode, 0)

    def test_takes_at_most_five_minutes(self):
        self.assertLess(self.seconds, SECONDS_MAX)

    def test_bases_are_the_tip_before_and_the_merge_base(self):
        commits = [attempt["commit"] for attempt in self.attempts]
        self.assertEqual([attempt["base"] for attempt in self.attempts],
                         [None, commits[0], commits[1]] + [commits[2]] * 8)

    def test_ratios_stand_where_something_was_timed(self):
        for attempt in self.attempts:
            timed = attempt["outcome"] in ("improved", "regressed")
            self.assertEqual(attempt["ratio"] is not None, timed, attempt["title"])
            if timed:
                self.assertLessEqual(attempt["ratio_low"], attempt["ratio"])
                self.assertLessEqual(attempt["ratio"], attempt["ratio_high"])
                self.assertGreaterEqual(attempt["pairs"], 2)
        self.assertLess(self.attempts[1]["ratio"], 1 / 1.4)
        self.assertLess(self.attempts[2]["ratio"], 1 / 1.4)
        self.assertGreater(self.attempts[3]["ratio"], 2)
        self.assertGreater(self.attempts[10]["ratio_low"], 1)  # by how much is the processor's affair

    def test_the_two_broken_attempts_show_the_same_failure(self):
        fifth, sixth = self.attempts[4], self.attempts[5]
        self.assertEqual(fifth["fingerprint"], sixth["fingerprint"])
        self.assertIsNone(fifth["same_failure_as"])
        self.assertEqual(sixth["same_failure_as"], 5)
        values = self.rows("SELECT DISTINCT round(error_value, 6) FROM checks WHERE fingerprint = ?",
                           fifth["fingerprint"])
        self.assertEqual(len(values), 1)
        self.assertIn("wrong_value", fifth["error"])

    def test_failures_say_why(self):
        self.assertIn("signal 11", self.attempts[6]["error"])
        self.assertIn("timed out", self.attempts[7]["error"])
        self.assertIn("tile_rows", self.attempts[8]["error"])

    def test_only_what_may_be_timed_was_timed(self):
        timed = {commit for commit, in self.rows(
            "SELECT DISTINCT commits.hash FROM processes JOIN runs ON runs.id = processes.run_id"
            " JOIN commits ON commits.id = runs.head_id")}
        for attempt in self.attempts:
            wanted = attempt["outcome"] in ("added", "improved", "regressed")
            self.assertEqual(attempt["commit"] in timed, wanted, attempt["title"])

    def test_every_commit_was_judged_once_by_the_hook(self):
        rows = self.rows("SELECT commits.hash, runs.source, runs.state FROM runs"
                         " JOIN commits ON commits.id = runs.head_id ORDER BY runs.id")
        self.assertEqual(rows, [(attempt["commit"], "post-receive", "done") for attempt in self.attempts])


if __name__ == "__main__":
    unittest.main(verbosity=2)
