#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""broken_numbers_test.py KERNELGATE: a kernel whose errors are NaN, infinite or null is broken, from the lines of its
check program through runner, wire and store to the API."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

KERNELGATE = sys.argv.pop()
SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "table_suite.sh")
PATIENCE_S = 120
GIT_ENVIRONMENT = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_NAME="a",
                       GIT_AUTHOR_EMAIL="a@example.org", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")
MANIFEST = """schema = 1
[build]
build = "cp {source}/* {build}/"
[[suite]]
name = "gemm"
run = "sh {build}/suite.sh"
check = "sh {build}/check.sh"
"""
GOOD = '{"name":"square","shape":"4x4","passed":true,"bound":1e-5,"max_abs_err":1e-7,"rel_err":1e-8}'
BAD = ['{"name":"null","shape":"4x4","passed":false,"bound":1e-5,"max_abs_err":null,"rel_err":null}',
       '{"name":"nan","shape":"4x4","passed":false,"bound":1e-5,"max_abs_err":nan,"rel_err":NaN}',
       '{"name":"inf","shape":"4x4","passed":false,"bound":Infinity,"max_abs_err":-inf,"rel_err":Infinity}',
       '{"name":"said to pass","shape":"4x4","passed":true,"bound":1e-5,"max_abs_err":0.5,"rel_err":nan}']


class BrokenNumbers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kernelgate-numbers-")
        self.addCleanup(self.remove)
        self.children = []
        self.addCleanup(self.stop)
        self.source = self.path("source")
        os.mkdir(self.source)

    def path(self, name):
        return os.path.join(self.folder, name)

    def remove(self):
        for folder, _, _ in os.walk(self.folder):  # sealed builds are read-only
            os.chmod(folder, 0o700)
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        for child in reversed(self.children):
            child.terminate()
            child.wait(30)

    def start(self, *arguments):
        with open(self.path(arguments[0] + ".log"), "w") as log:
            self.children.append(subprocess.Popen([KERNELGATE, *arguments], stdout=log, stderr=log))

    def run_to_end(self, *arguments):
        return subprocess.run([KERNELGATE, *arguments], check=True, capture_output=True, text=True, timeout=60).stdout

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.source, *arguments], check=True, capture_output=True, text=True,
                              env=GIT_ENVIRONMENT).stdout.strip()

    def write(self, name, text):
        with open(os.path.join(self.source, name), "w") as file:
            file.write(text)

    def commit(self, lines):
        self.write("check.sh", "".join("echo '%s'\n" % line for line in lines))
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "Change the kernel")
        return self.git("rev-parse", "HEAD")

    def make_repository(self):
        self.git("init", "--quiet", "--initial-branch=main")
        shutil.copy(SUITE, os.path.join(self.source, "suite.sh"))
        self.write("kernelgate.toml", MANIFEST)
        self.write("times", "gemm/64\t1000\n")
        self.commit([GOOD])
        return self.commit([GOOD] + BAD)

    def serve(self):
        token_file, port_file = self.path("token"), self.path("port")
        self.start("server", "--listen", "127.0.0.1:0", "--data", self.path("server"), "--port-file", port_file,
                   "--admin-token-file", token_file)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(port_file) and time.monotonic() < end:
            time.sleep(0.05)
        with open(port_file) as port, open(token_file) as token:
            self.url, self.token = "http://127.0.0.1:" + port.read().strip(), token.read().strip()
        self.common = ["--server", self.url, "--token-file", token_file]

    def get(self, path):
        request = urllib.request.Request(self.url + "/api/v1" + path, headers={"Authorization": "Bearer " + self.token})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def test_no_number_is_broken_from_the_check_to_the_api(self):
        head = self.make_repository()
        self.serve()
        self.run_to_end("repository", "add", *self.common, "--name", "kernels", "--url", self.source)
        self.start("runner", *self.common, "--work", self.path("work"))
        self.run_to_end("trigger", *self.common, "--repository", "kernels", "--repo", self.source, "--commit", head)
        end = time.monotonic() + PATIENCE_S
        run = {"conclusion": ""}
        while not run["conclusion"] and time.monotonic() < end:
            run = self.get("/runs/1?wait_s=20")
        self.assertEqual((run["conclusion"], run["exit_code"]), ("broken", 1), run["summary"])
        checks = {check["name"]: check for check in self.get("/runs/1/checks")["checks"] if check["side"] == "head"}
        self.assertEqual(list(checks), ["square", "null", "nan", "inf", "said to pass"])
        self.assertEqual(checks["square"]["rel_err"], 1e-8)
        for name in ("null", "nan", "inf", "said to pass"):
            check = checks[name]
            self.assertEqual((check["passed"], check["error_class"]), (False, "not_finite"), check)
            self.assertEqual((check["rel_err"], check["error_value"]), (None, None), check)
        self.assertEqual((checks["inf"]["bound"], checks["said to pass"]["max_abs_err"]), (None, 0.5))
        broken = {one["benchmark"] for one in run["comparisons"] if one["verdict"] == "broken"}
        self.assertLessEqual({"null", "nan", "inf", "said to pass"}, broken)
        with sqlite3.connect(self.path("server/kernelgate.sqlite")) as store:
            self.assertEqual(store.execute("SELECT count(*) FROM checks WHERE error_class = 'not_finite' "
                                           "AND passed = 0 AND rel_err IS NULL").fetchone()[0], 4)


if __name__ == "__main__":
    unittest.main()
