#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bundle_test.py KERNELGATE: what a runner measured and a server judged is exported over HTTP and replayed."""
import json
import os
import re
import unittest

from table_service import TableService, run


class Bundles(TableService):
    def test_a_served_verdict_replays_byte_for_byte(self):
        self.make_source()
        server = self.start_server()
        self.trigger(server, "HEAD", "--base", "HEAD~1")
        self.take_one(server)

        self.succeed("export", *server, "--run", "1", "--output", self.path("served.kgb"))
        store = ["--db", os.path.join(self.path("server"), "kernelgate.sqlite")]
        self.succeed("export", *store, "--run", "1", "--output", self.path("stored.kgb"))
        with open(self.path("served.kgb"), "rb") as served, open(self.path("stored.kgb"), "rb") as stored:
            self.assertEqual(served.read(), stored.read())

        replayed = json.loads(self.succeed("replay", self.path("served.kgb"), "--format", "json"))
        self.assertEqual(replayed["same"], "bytes", replayed["differences"])
        self.assertEqual(replayed["decision"]["conclusion"], "regressed")
        self.assertIn("byte for byte", self.succeed("replay", self.path("served.kgb")))

        again = run("export", *server, "--run", "1", "--output", self.path("served.kgb"))
        self.assertEqual((again.returncode, again.stdout), (2, ""))
        self.assertTrue(re.search("exists already", again.stderr), again.stderr)
        with open(self.path("served.kgb"), "r+b") as file:
            file.truncate(os.path.getsize(self.path("served.kgb")) - 7)
        self.assertEqual(run("replay", self.path("served.kgb")).returncode, 2)


if __name__ == "__main__":
    unittest.main()
