#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_test.py KERNELGATE: a profile that somebody asked for is taken between runs, by a real runner."""
import json
import unittest
import urllib.request

from table_service import PATIENCE_S, TableService


class Profiles(TableService):
    def ask(self, server, path, body=None):
        with open(self.path("token")) as token:
            request = urllib.request.Request(server[1] + "/api/v1" + path, data=body and json.dumps(body).encode(),
                                             headers={"Authorization": "Bearer " + token.read().strip()})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def test_a_profile_does_not_stand_for_the_run_of_a_runner_that_takes_one(self):
        self.make_source()
        server = self.start_server()
        self.trigger(server, "HEAD", "--base", "HEAD~1")
        self.take_one(server)
        asked = self.ask(server, "/runs/1/profiles", {"suite": "table", "benchmark": "slow"})
        self.assertEqual(asked["state"], "queued")
        self.trigger(server, "HEAD~1", "--base", "HEAD")
        self.take_one(server)
        self.assertEqual(self.ask(server, "/runs/1/profiles")["profiles"][0]["state"], "failed")  # it has no kernel
        self.assertEqual(self.ask(server, "/runs/2")["state"], "done")


if __name__ == "__main__":
    unittest.main()
