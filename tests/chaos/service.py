# SPDX-License-Identifier: Apache-2.0
"""The whole line as child processes that may be killed: repositories with the real hook, server, runner."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

REPOSITORY = "story"
LEASE_S = 8  # a killed runner's job waits this long


def git(folder, *args):
    env = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null")
    return subprocess.run(["git", "-C", folder, *args], check=True, capture_output=True, text=True, env=env,
                          timeout=60).stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    def __init__(self, kernelgate, folder):
        self.kernelgate, self.folder = kernelgate, folder
        self.source, self.remote = self.path("source"), self.path("remote.git")
        self.store = self.path("kernelgate.db")
        self.address = f"127.0.0.1:{free_port()}"
        self.children = {}
        self.kills = {"server": 0, "runner": 0}

    def path(self, name):
        return os.path.join(self.folder, name)

    def set_up(self):
        """The commits of the story as (hash, title), and everything running."""
        listed = self.run("demo", "--make-repository", self.source)
        git(self.folder, "init", "--quiet", "--bare", "--initial-branch=main", self.remote)
        git(self.source, "remote", "add", "origin", self.remote)
        self.admin = self.token("admin")
        self.start("server")
        self.call("POST", "/repositories", {"name": REPOSITORY, "url": self.remote, "default_branch": "main"})
        self.token("trigger")
        self.run("hook", "install", "--repo", self.remote, "--server", "http://" + self.address, "--token-file",
                 self.path("trigger.token"), "--repository", REPOSITORY, "post-receive")
        self.token("runner")
        self.start("runner")
        return [line.split("  ") for line in listed.splitlines()]

    def run(self, *args):
        done = subprocess.run([self.kernelgate, *args], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise AssertionError(f"kernelgate {' '.join(args)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def push(self, commit, branch):
        git(self.source, "push", "--quiet", "origin", f"{commit}:refs/heads/{branch}")

    def flush(self):
        """What the hook kept while the server was away."""
        self.run("hook", "flush", "--repo", self.remote)

    def token(self, role):
        printed = self.run("token", "create", "--db", self.store, "--name", role, "--role", role)
        token = re.search(r"kg_[0-9a-f]{64}", printed).group(0)
        with open(os.open(self.path(role + ".token"), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(token)
        return token

    # Children

    def command(self, name):
        if name == "server":
            return ["server", "--listen", self.address, "--db", self.store, "--data", self.path("server"),
                    "--lease-seconds", str(LEASE_S)]
        return ["runner", "--server", "http://" + self.address, "--token-file", self.path("runner.token"), "--work",
                self.path("runner"), "--name", "chaos"]

    def start(self, name):
        with open(self.path(name + ".log"), "a") as log:
            self.children[name] = subprocess.Popen([self.kernelgate, *self.command(name)], stdin=subprocess.DEVNULL,
                                                   stdout=log, stderr=log, start_new_session=True)
        if name == "server":
            self.wait_for("the server to answer", lambda: self.get("/healthz") is not None, 30)

    def kill(self, name):
        """SIGKILL of the one process, as the kernel's memory killer would do it."""
        child = self.children.pop(name)
        assert child.poll() is None, f"the {name} had ended by itself: {self.log(name)}"
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.kills[name] += 1

    def stop(self):
        for name in ("runner", "server"):
            child = self.children.pop(name, None)
            if child is not None and child.poll() is None:
                child.terminate()
                child.wait(timeout=30)

    def log(self, name):
        with open(self.path(name + ".log")) as file:
            return file.read()[-4000:]

    def remove(self):
        for folder, _, _ in os.walk(self.folder):  # sealed builds are read-only
            os.chmod(folder, 0o700)
        shutil.rmtree(self.folder, ignore_errors=True)

    # The API

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}/api/v1{path}", data, method=method)
        request.add_header("Authorization", "Bearer " + self.admin)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def get(self, path):
        """None while the server is away."""
        try:
            if path == "/healthz":
                with urllib.request.urlopen(f"http://{self.address}{path}", timeout=5) as answer:
                    return answer.read()
            return self.call("GET", path)
        except urllib.error.HTTPError:
            raise
        except (OSError, ValueError):
            return None

    def pages(self, path, member):
        found, before = [], None
        while True:
            joint = "&" if "?" in path else "?"
            page = self.call("GET", path + (f"{joint}before={before}" if before else ""))
            found += page[member]
            before = page.get("next")
            if not before:
                return found

    def processes(self, run):
        """All processes stored for a run, those of lost runners too."""
        return [row["process"] for row in self.pages(f"/runs/{run}/processes?superseded=true", "processes")]

    def wait_for(self, what, condition, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError(f"{seconds} s were not enough for {what}\nserver: {self.log('server')}\n"
                             f"runner: {self.log('runner') if os.path.exists(self.path('runner.log')) else ''}")
