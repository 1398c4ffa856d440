# SPDX-License-Identifier: Apache-2.0
"""A server, a runner and a repository whose suite is a table of times, as processes."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

KERNELGATE = sys.argv.pop()
PATIENCE_S = 120
SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "table_suite.sh")
MANIFEST = """schema = 1
[build]
build = "cp {source}/suite.sh {source}/times {build}/"
[[suite]]
name = "table"
run = "{build}/suite.sh"
"""


def run(*arguments):
    return subprocess.run([KERNELGATE, *arguments], capture_output=True, text=True, timeout=PATIENCE_S)


class TableService(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kernelgate service ")
        self.addCleanup(self.remove)

    def remove(self):
        for folder, _, _ in os.walk(self.folder):  # sealed builds are read-only
            os.chmod(folder, 0o700)
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def succeed(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def git(self, *arguments):
        env = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null")
        subprocess.run(["git", "-C", self.path("source"), "-c", "user.name=Ada", "-c", "user.email=ada@example.org",
                        *arguments], check=True, capture_output=True, env=env, timeout=PATIENCE_S)

    def commit(self, times):
        with open(os.path.join(self.path("source"), "times"), "w") as file:
            file.write(times)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "Change the times")

    def make_source(self):
        os.mkdir(self.path("source"))
        self.git("init", "--quiet", "--initial-branch=main")
        shutil.copy(SUITE, os.path.join(self.path("source"), "suite.sh"))
        with open(os.path.join(self.path("source"), "kernelgate.toml"), "w") as file:
            file.write(MANIFEST)
        self.commit("same\t100\tnoisy 0.002\nslow\t100\tnoisy 0.002\n")
        self.commit("same\t100\tnoisy 0.002\nslow\t110\tnoisy 0.002\n")

    def start_server(self):
        """With the repository "story"; the flags that lead a command there."""
        os.mkdir(self.path("server"))
        server = subprocess.Popen(
            [KERNELGATE, "server", "--listen", "127.0.0.1:0", "--data", self.path("server"), "--port-file",
             self.path("port"), "--admin-token-file", self.path("token"), "--no-access-log"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.path("port")) and time.monotonic() < end:
            time.sleep(0.02)
        with open(self.path("port")) as file:
            server = ["--server", "http://127.0.0.1:" + file.read().strip(), "--token-file", self.path("token")]
        self.succeed("repository", "add", *server, "--name", "story", "--url", self.path("source"))
        return server

    def trigger(self, server, commit, *arguments):
        self.succeed("trigger", *server, "--repository", "story", "--repo", self.path("source"), "--commit", commit,
                     *arguments)

    def take_one(self, server):
        """One run through a real runner."""
        ran = run("runner", *server, "--work", self.path("runner"), "--once")
        self.assertEqual(ran.returncode, 0, ran.stderr)
