#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""baseline_test.py KERNELGATE: `kernelgate baseline --server`: a runner times a promoted baseline again, a regression
is accepted and revoked."""
import json
import re
import unittest

from table_service import TableService, run


class ServedBaselines(TableService):
    def baseline(self, act, *arguments):
        return self.succeed("baseline", act, *self.server, "--repository", "story", *arguments)

    def listed(self):
        return json.loads(self.baseline("list", "--format", "json"))

    def refused(self, words, act, *arguments):
        done = run("baseline", act, *self.server, "--repository", "story", *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(words, done.stderr)

    def shown(self, number):
        return json.loads(self.succeed("runs", "show", str(number), *self.server, "--format", "json"))

    def test_a_runner_times_a_baseline_again(self):
        self.make_source()
        self.server = self.start_server()
        self.refused("no baseline", "remeasure")
        self.trigger(self.server, "HEAD~1")
        self.take_one(self.server)
        self.assertIn("baseline main", self.baseline("promote", "--run", "1", "--name", "main", "--reason", "release"))
        self.assertEqual(self.listed()["baselines"][0]["sessions"], 0)

        for number in (2, 3):
            self.assertRegex(self.baseline("remeasure"), f"^main [0-9a-f]{{10}}: run {number}\n$")
            self.take_one(self.server)
            self.assertEqual(self.listed()["baselines"][0]["sessions"], number - 1)
        self.assertRegex(self.baseline("remeasure", "--name", "main", "--processes", "3"), "run 4")
        self.take_one(self.server)
        self.assertEqual(self.listed()["baselines"][0]["sessions"], 3)
        self.refused("no baseline 'other'", "remeasure", "--name", "other")

    def test_a_regression_is_accepted_once_and_revoked(self):
        self.make_source()
        self.server = self.start_server()
        self.trigger(self.server, "HEAD", "--base", "HEAD~1")
        self.take_one(self.server)
        self.assertEqual(self.shown(1)["conclusion"], "regressed")
        why = ("--run", "1", "--benchmark", "slow", "--reason", "needed")
        accepted = self.baseline("accept", *why)
        self.assertTrue(re.search(r"table: slow \+\d", accepted), accepted)
        self.refused("already accepted: acknowledgement 1", "accept", *why)
        self.baseline("accept", "--run", "1", "--benchmark", "slow", "--reason", "needed for correctness")
        accepted = self.listed()["acknowledgements"]
        self.assertEqual([(one["id"], one["revoked_reason"]) for one in accepted],
                         [(2, ""), (1, "replaced by acknowledgement 2")])
        self.assertIn("acknowledgement 2 is revoked", self.baseline("revoke", "--ack", "2", "--reason", "fixed"))
        self.refused("was revoked", "revoke", "--ack", "2", "--reason", "fixed")
        self.refused("cannot become a baseline", "promote", "--run", "1", "--name", "main", "--reason", "no")


if __name__ == "__main__":
    unittest.main()
