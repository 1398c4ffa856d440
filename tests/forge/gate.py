# SPDX-License-Identifier: Apache-2.0
"""`kernelgate server` as a child process that may be killed, and a runner that reports what a test wants."""
import json
import os
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request

PATIENCE_S = 60


def evidence(infrastructure):
    """A head that does not build, or trouble of the machine."""
    return {"has_base": False, "inputs_unchanged": False, "base_build": "not_needed",
            "head_build": "skipped" if infrastructure else "failed", "build_text": "error: expected ';'",
            "infrastructure": "the GPU fell off" if infrastructure else "", "suites": []}


class Gate:
    def __init__(self, kernelgate, folder, config):
        self.command = [kernelgate, "server", "--listen", "127.0.0.1:0", "--data", folder, "--config", config,
                        "--port-file", os.path.join(folder, "port"), "--admin-token-file",
                        os.path.join(folder, "admin.token"), "--public-url", "http://gate.example",
                        "--no-access-log"]
        self.folder, self.process, self.url = folder, None, ""

    def start(self):
        port = os.path.join(self.folder, "port")
        if os.path.exists(port):
            os.remove(port)
        with open(os.path.join(self.folder, "log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=log)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(port) and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        with open(port, encoding="utf-8") as file:
            self.url = "http://127.0.0.1:" + file.read().strip()
        with open(os.path.join(self.folder, "admin.token"), encoding="utf-8") as file:
            self.token = file.read().strip()

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(timeout=PATIENCE_S)

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGKILL)

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            return file.read()[-3000:]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1" + path, data, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def health(self):
        with urllib.request.urlopen(self.url + "/healthz", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def changes(self):
        """Runs whose messages are not written yet."""
        store = sqlite3.connect(os.path.join(self.folder, "kernelgate.sqlite"))
        try:
            return store.execute("SELECT count(*) FROM run_changes").fetchone()[0]
        finally:
            store.close()

    def trigger(self, commit, pull_request, force=False):
        body = {"repository": "kernels", "commit": commit, "branch": "topic", "base": {"kind": "first_parent"},
                "subject": "Try @octocat's idea, fixes #1", "source": "api", "force": force}
        if pull_request:
            body["pull_request"] = pull_request
        status, reply = self.ask("POST", "/triggers", body)
        assert status in (200, 202), reply
        return reply["run"]

    def work(self, random):
        """Claims a job and ends it: a build that failed, or trouble. Answers the run, or none where none was queued."""
        status, claim = self.ask("POST", "/runner/claim", {"runner": "r", "testbed": {"name": "bed"}, "wait_s": 0})
        if status != 200:
            return None
        run = f"/runner/runs/{claim['run']}"
        for state in random.choice([["building"], ["building", "checking", "measuring"]]):
            self.ask("POST", run + "/heartbeat", {"lease": claim["lease"], "state": state})
            time.sleep(random.choice([0, 0.05, 0.6]))
        status, reply = self.ask("POST", run + "/finish",
                                 {"lease": claim["lease"], "evidence": evidence(random.random() < 0.3),
                                  "policy_toml_manifest": ""})
        assert status == 200, reply
        return claim["run"]
