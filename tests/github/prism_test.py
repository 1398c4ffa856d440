#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prism_test.py NODE_MODULES GOLDEN: what we send to GitHub is what GitHub's own description takes.

Prism serves the trimmed description; every request of the pull request's story (tests/golden/forge) is sent to it.
"""
import glob
import json
import os
import subprocess
import sys
import threading
import unittest
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN, NODE_MODULES = sys.argv.pop(), sys.argv.pop()
NOT_GITHUB = ("gitlab", "webhook", "chat")


class Prism(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = ["node", os.path.join(NODE_MODULES, ".bin", "prism"), "mock", "-p", "0", "-h", "127.0.0.1",
                   os.path.join(HERE, "github.json")]
        cls.prism = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        cls.url = ""
        for line in cls.prism.stdout:
            if "Prism is listening on" in line:
                cls.url = line.split("listening on ")[1].split()[0]
                break
        threading.Thread(target=cls.prism.stdout.read, daemon=True).start()
        assert cls.url, "Prism did not start"

    @classmethod
    def tearDownClass(cls):
        cls.prism.terminate()
        cls.prism.wait(timeout=30)

    def send(self, method, path, body):
        request = urllib.request.Request(self.url + path, body and body.encode(), method=method)
        request.add_header("Accept", "application/vnd.github+json")
        if body:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def test_every_request_of_the_story_is_taken(self):
        files = [file for file in sorted(glob.glob(os.path.join(GOLDEN, "*.txt")))
                 if not file.rsplit("-", 1)[1].startswith(NOT_GITHUB)]
        self.assertGreater(len(files), 15)
        for file in files:
            with open(file, encoding="utf-8") as golden:
                line, body = golden.read().split("\n", 1)
            status, text = self.send(*line.split(" "), body)
            self.assertIn(status, (200, 201), f"{file}: {text}")

    def test_every_question_is_known(self):
        for path in ("/repos/o/r/commits/abc/check-runs?check_name=kernelgate&filter=all&per_page=100&page=1",
                     "/repos/o/r/issues/3/comments?per_page=100&page=1", "/repos/o/r/installation", "/app", "/user",
                     "/repos/o/r/collaborators/octocat/permission"):
            self.assertEqual(self.send("GET", path, None)[0], 200, path)
        self.assertEqual(self.send("POST", "/app/installations/5/access_tokens", None)[0], 201)

    def test_what_is_wrong_is_refused(self):
        for path, body in (("/repos/o/r/statuses/abc", {"state": "bogus"}),
                           ("/repos/o/r/check-runs", {"head_sha": "a"}),
                           ("/repos/o/r/issues/3/comments", {})):
            self.assertEqual(self.send("POST", path, json.dumps(body))[0], 422, path)
        self.assertEqual(self.send("POST", "/repos/o/r/status/abc", "{}")[0], 404)


if __name__ == "__main__":
    unittest.main()
