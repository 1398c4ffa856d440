#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pinned_test.py KERNELGATE: a real suite that chooses between two ways to sum; what changed is the choice, the kernel,
or both, and server and report tell them apart."""
import json
import os
import shutil
import sqlite3
import unittest
import urllib.request

from table_service import PATIENCE_S, TableService

SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "choosing_suite.cpp")
MANIFEST = """schema = 1
[build]
build = "sh {source}/build.sh {source} {build}"
[[suite]]
name = "sums"
run = "{build}/suite"
time = "cpu"
[policy]
tolerate = 0.1
catch = 0.5
max_pairs = 8
"""
BUILD = """exec c++ -std=c++20 -O2 $(cat "$1/choice.txt") -o "$2/suite" "$1/suite.cpp" -lbenchmark -lpthread
"""


class Pinned(TableService):
    def commit_of(self, choice, work=1, more=""):
        self.write("choice.txt", f"-DKG_CHOICE=\"{choice}\" -DKG_WORK={work} {more}\n")
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", "Change the sums")

    def write(self, name, text):
        with open(os.path.join(self.path("source"), name), "w") as file:
            file.write(text)

    def make_source(self):
        os.mkdir(self.path("source"))
        self.git("init", "--quiet", "--initial-branch=main")
        shutil.copy(SUITE, os.path.join(self.path("source"), "suite.cpp"))
        self.write("kernelgate.toml", MANIFEST)
        self.write("build.sh", BUILD)

    def judged(self, server):
        """The comparison of head against its parent, as the API tells it, and as the report's text says it."""
        self.runs = getattr(self, "runs", 0) + 1
        self.trigger(server, "HEAD")
        self.take_one(server)
        with open(self.path("token")) as token:
            request = urllib.request.Request(f"{server[1]}/api/v1/runs/{self.runs}",
                                             headers={"Authorization": "Bearer " + token.read().strip()})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            run = json.load(answer)
        self.assertEqual(len(run["comparisons"]), 1, run["summary"])
        report = self.succeed("runs", "show", str(self.runs), *server, "--format", "markdown")
        return run["comparisons"][0], report

    def test_the_choice_is_told_from_the_kernel(self):
        self.make_source()
        self.commit_of("chains/8")
        server = self.start_server()

        self.commit_of("chains/1")  # only the choice
        one, report = self.judged(server)
        self.assertEqual((one["verdict"], one["base_configuration"], one["head_configuration"]),
                         ("regressed", "chains/8", "chains/1"), one["reason"])
        self.assertEqual([(p["pinned"], p["configuration"], p["verdict"], p["failure"]) for p in one["pinned"]],
                         [("head", "chains/8", "unchanged", "")])
        self.assertRegex(one["attribution"], "^chains/1 was chosen instead of chains/8: with base's configuration "
                                             "pinned head is .* the choice made the difference, not the kernel$")
        self.assertIn("the choice made the difference, not the kernel", report)

        self.commit_of("chains/1", work=3)  # only the kernel
        one, report = self.judged(server)
        self.assertEqual((one["verdict"], one["base_configuration"], one["head_configuration"]),
                         ("regressed", "chains/1", "chains/1"), one["reason"])
        self.assertEqual((one["pinned"], one["attribution"]), ([], ""))
        self.assertIn("configuration chains/1", report)

        self.commit_of("chains/8", work=3)  # the way back, for the next
        self.judged(server)
        self.commit_of("chains/8b", work=9)  # both; the other choice is as fast
        one, report = self.judged(server)
        self.assertEqual((one["verdict"], one["pinned"][0]["verdict"]), ("regressed", "regressed"), one["attribution"])
        self.assertIn("the kernel made the difference, not the choice", report)

        self.commit_of("chains/1", work=9, more="-DKG_DEAF")  # a suite that listens to nobody
        one, report = self.judged(server)
        self.assertEqual([p["failure"] for p in one["pinned"]],
                         ["head ran chains/1, not chains/8b: its suite does not keep to KG_CONFIGURATIONS", ""])
        self.assertIn("with head's configuration pinned on both sides", report)
        with sqlite3.connect(self.path("server/kernelgate.sqlite")) as store:
            rows = store.execute("SELECT DISTINCT configuration FROM series ORDER BY 1").fetchall()
        self.assertEqual(rows, [("chains/1",), ("chains/8",), ("chains/8b",)])


if __name__ == "__main__":
    unittest.main()
