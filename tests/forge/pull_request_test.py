#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pull_request_test.py KERNELGATE: a pull request's whole life, from signed webhooks to what the forge shows.

Opened by a fork and held, approved, measured by a real runner, regressed, accepted by a click on the check run, pushed
to twice (the second push supersedes), approved again, passed, closed. At each step the gate's API, its lists, the run's
page, the commit status, the check run and the one comment agree. A webhook for a repository that nobody registered is
refused, and taken once somebody did.
"""
import hashlib
import hmac
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fake_forge import Forge  # noqa: E402
from gate import Gate  # noqa: E402

KERNELGATE = sys.argv.pop()
SECRET = b"what only GitHub and the gate know"
PATIENCE_S = 600


def git(*arguments, cwd=None):
    return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()


class PullRequest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kg pull request ")
        self.addCleanup(self.remove)
        self.source = os.path.join(self.folder, "source")
        self.remote = os.path.join(self.folder, "kernels.git")
        subprocess.run([KERNELGATE, "demo", "--make-repository", self.source], check=True, capture_output=True)
        git("init", "--quiet", "--bare", "--initial-branch=main", self.remote)
        self.main = git("rev-parse", "main", cwd=self.source)
        git("push", "--quiet", self.remote, "main", cwd=self.source)
        self.forge = Forge(lambda: None, 0)
        self.forge.start()
        self.addCleanup(self.forge.stop)
        self.gate = Gate(KERNELGATE, self.folder, self.config())
        self.addCleanup(self.gate.close)
        self.gate.start()
        status, body = self.gate.ask("POST", "/repositories", {"name": "kernels", "url": self.remote,
                                                               "full_name": "octo/kernels"})
        self.assertEqual(status, 201, body)
        self.deliveries = 0

    def remove(self):
        # Sealed builds are read-only.
        for folder, _, _ in os.walk(self.folder):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.folder)

    def secret(self, name, text):
        with open(os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(text)

    def config(self):
        self.secret("app.pem", subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True).stdout)
        self.secret("github.secret", SECRET)
        path = os.path.join(self.folder, "gate.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'schema = 1\n[github]\napi_url = "{self.forge.url()}"\napp_id = 77\napp_key_file = "app.pem"\n'
                       'webhook_secret_file = "github.secret"\n[delivery]\nfirst_pause_s = 0.02\npause_max_s = 0.2\n')
        return path

    def start_runner(self):
        made = subprocess.run([KERNELGATE, "token", "create", "--db", os.path.join(self.folder, "kernelgate.sqlite"),
                               "--name", "runner", "--role", "runner"], check=True, capture_output=True, text=True)
        self.secret("runner.token", made.stdout.strip().encode())
        log = open(os.path.join(self.folder, "runner.log"), "w", encoding="utf-8")
        self.addCleanup(log.close)
        runner = subprocess.Popen([KERNELGATE, "runner", "--server", self.gate.url, "--token-file",
                                   os.path.join(self.folder, "runner.token"), "--work",
                                   os.path.join(self.folder, "runner"), "--name", "r"], stdout=log, stderr=log)

        def stop():
            runner.terminate()
            runner.wait()
        self.addCleanup(stop)

    def deliver(self, action, commit, second):
        """The fork's pull request 7 at `commit`, as GitHub tells of it."""
        git("push", "--quiet", "--force", self.remote, commit + ":refs/pull/7/head", cwd=self.source)
        return self.webhook("pull_request", {
            "action": action, "sender": {"login": "ada"},
            "repository": {"full_name": "octo/kernels", "clone_url": "https://github.example/octo/kernels.git"},
            "pull_request": {
                "number": 7, "title": "Try another tile", "draft": False, "merged": False, "user": {"login": "ada"},
                "updated_at": f"2026-11-21T10:00:{second:02d}Z",
                "head": {"ref": "tiles", "sha": commit, "repo": {"full_name": "ada/kernels"}},
                "base": {"ref": "main", "sha": self.main, "repo": {"full_name": "octo/kernels"}}}})

    def click(self, button, run, sender):
        """A button of the run's check run, as GitHub tells of it."""
        check = next(one for one in self.forge.checks.values() if one["external_id"] == str(run))
        self.assertIn(button, [one["identifier"] for one in check["actions"]])
        return self.webhook("check_run", {
            "action": "requested_action", "requested_action": {"identifier": button}, "sender": {"login": sender},
            "repository": {"full_name": "octo/kernels", "clone_url": "https://github.example/octo/kernels.git"},
            "check_run": {"id": check["id"], "head_sha": check["head_sha"], "external_id": str(run)}})

    def webhook(self, event, payload):
        self.deliveries += 1
        body = json.dumps(payload).encode()
        signature = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        headers = {"Content-Type": "application/json", "X-GitHub-Event": event,
                   "X-GitHub-Delivery": f"d{self.deliveries}", "X-Hub-Signature-256": signature}
        request = urllib.request.Request(self.gate.url + "/webhooks/github", body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.assertEqual(answer.status, 202)
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return json.load(refused)

    def say(self, *arguments, code=0):
        """A command of kernelgate, as a person would give it."""
        done = subprocess.run([KERNELGATE, *arguments, "--server", self.gate.url, "--token-file",
                               os.path.join(self.folder, "admin.token")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def act(self, what, run, *more):
        return self.say("runs", what, str(run), *more)

    def finished(self, run):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            _, found = self.gate.ask("GET", f"/runs/{run}?wait_s=20")
            if found["state"] in ("done", "aborted", "cancelled"):
                return found
        self.fail("not finished: " + json.dumps(found) + self.gate.log())

    def agree(self, run, state, status, check):
        """API, lists, commit status, check run and comment say the same of the run, once all is told."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            unwritten = self.gate.changes()  # asked first: what is written meanwhile is pending then
            pending = self.gate.ask("GET", "/outbox?status=pending")[1]["messages"]
            if not pending and not unwritten:
                break
            time.sleep(0.05)
        self.assertEqual(pending, [], self.gate.log())
        self.assertEqual(self.forge.invalid, [])
        _, found = self.gate.ask("GET", f"/runs/{run}")
        self.assertEqual((found["state"], found["commit_status"]), (state, status), found)
        said = [one for one in self.forge.statuses[found["commit"]] if one["target_url"].endswith(f"/runs/{run}")]
        self.assertEqual(said[-1]["state"], status, said)
        checks = [one for one in self.forge.checks.values() if one["external_id"] == str(run)]
        self.assertEqual(len(checks), 1)
        self.assertEqual(checks[0].get("conclusion"), check, checks[0])
        word = {"held": "Waits for approval", "queued": "Queued"}.get(state) or found["conclusion"]
        self.assertIn(word, checks[0]["output"]["summary"])
        comment = self.comment()
        if f"/runs/{run})" in comment:
            self.assertIn(word, comment)
        for one in found["comparisons"]:
            self.assertIn(one["verdict"], checks[0]["output"]["summary"])
        listed = {one["id"]: one for one in self.gate.ask("GET", "/runs?repository=kernels")[1]["runs"]}
        self.assertEqual((listed[run]["state"], listed[run]["conclusion"]), (found["state"], found["conclusion"]))
        return found

    def comment(self):
        self.assertEqual([one["pull_request"] for one in self.forge.comments.values()], ["7"])
        return next(iter(self.forge.comments.values()))["body"]

    def accept(self, run):
        """Clicks Accept until the run made for it passes, three times at most: times differ between runs."""
        for _ in range(3):
            accepted = self.click("accept", run, "grace")
            self.assertEqual(accepted["detail"], f"accepted run {run}", accepted)
            found = self.finished(accepted["run"])
            self.assertEqual(found["retry_of"], run)
            moved = [f"{one['benchmark']} {one['verdict']}: {one['reason']}" for one in found["comparisons"]
                     if one["verdict"] not in ("unchanged", "identical") and not one["acknowledged"]]
            if found["conclusion"] == "passed":
                break
            print(f"run {found['id']} is {found['conclusion']}: {moved}", file=sys.stderr)
            run = accepted["run"]
            self.agree(run, "done", "failure", "failure")  # the check run has its button
        self.assertEqual(found["conclusion"], "passed", moved)
        return accepted

    def test_from_opened_to_closed(self):
        slower = git("rev-parse", "attempt/three-rows", cwd=self.source)
        slowest = git("rev-parse", "attempt/transposed-b", cwd=self.source)
        harmless = git("rev-parse", "attempt/comment", cwd=self.source)

        opened = self.deliver("opened", slower, 1)
        self.assertEqual(opened["outcome"], "held")
        self.agree(opened["run"], "held", "pending", None)
        self.start_runner()
        self.assertIn("is queued", self.act("approve", opened["run"]))
        self.assertEqual(self.finished(opened["run"])["conclusion"], "regressed")
        judged = self.agree(opened["run"], "done", "failure", "failure")
        self.assertEqual(judged["base_commit"], self.main)
        self.assertEqual(judged["pull_request"]["head_repository"], "ada/kernels")
        self.assertIn(f"/runs/{opened['run']})", self.comment())

        self.assertEqual(self.click("accept", opened["run"], "ada")["status"], 403)  # may not write
        accepted = self.accept(opened["run"])
        passed = self.agree(accepted["run"], "done", "success", "success")
        self.assertIn("@grace on GitHub", "".join(one["acknowledged"] for one in passed["comparisons"]))
        self.assertEqual(self.forge.statuses[slower][-1]["state"], "success")

        second = self.deliver("synchronize", slowest, 2)
        self.agree(second["run"], "held", "pending", None)
        third = self.deliver("synchronize", harmless, 3)
        old = self.agree(second["run"], "cancelled", "error", "cancelled")
        self.assertEqual((old["superseded_by"], old["reason"]), (third["run"], f"superseded by run {third['run']}"))
        self.agree(opened["run"], "done", "failure", "failure")  # what is finished stays
        self.act("approve", third["run"])
        self.assertEqual(self.finished(third["run"])["conclusion"], "passed")
        self.agree(third["run"], "done", "success", "success")
        self.assertIn(f"/runs/{third['run']})", self.comment())

        self.trusted_builds_are_apart(harmless)

        fourth = self.deliver("synchronize", slowest, 4)
        self.assertIn("refused by", self.act("refuse", fourth["run"], "--reason", "measured before"))
        self.agree(fourth["run"], "cancelled", "error", "cancelled")
        self.assertEqual(self.deliver("closed", slowest, 5)["outcome"], "noted")
        actions = [one[0] for one in self.actions()]
        for action in ("run.approve", "run.supersede", "run.refuse", "regression.accept"):
            self.assertIn(action, actions)
        self.look_at_deliveries()

    def trusted_builds_are_apart(self, commit):
        """What a fork built of a commit and its base is not what a trusted run of the two measures."""
        entries = os.path.join(self.folder, "runner", "builds", "entries")
        of_forks = {name: os.listdir(os.path.join(entries, name, "build")) for name in os.listdir(entries)}
        status, reply = self.gate.ask("POST", "/triggers", {
            "repository": "kernels", "commit": commit, "branch": "tiles", "source": "api", "force": True,
            "base": {"kind": "explicit_commit", "argument": self.main}})
        self.assertEqual(status, 202, reply)
        self.assertEqual(self.finished(reply["run"])["conclusion"], "passed")
        self.assertEqual(len(set(os.listdir(entries)) - set(of_forks)), 2)  # base and head
        self.assertEqual({name: os.listdir(os.path.join(entries, name, "build")) for name in of_forks}, of_forks)

    def look_at_deliveries(self):
        """By the command line: what came, what was refused and is taken when its cause is fixed, what was told."""
        stray = self.webhook("push", {"ref": "refs/heads/main", "before": "0" * 40, "after": self.main, "forced": False,
                                      "created": True, "deleted": False, "sender": {"login": "ada"}, "repository": {
                                          "full_name": "octo/other", "default_branch": "main",
                                          "clone_url": "https://github.example/octo/other.git"}})
        self.assertEqual(stray["status"], 404, stray)
        refused = json.loads(self.say("deliveries", "list", "--outcome", "refused", "--format", "json"))["deliveries"]
        self.assertEqual([one["event"] for one in refused], ["push", "check_run"])
        number = str(refused[0]["id"])
        self.assertEqual(json.loads(self.say("deliveries", "payload", number))["after"], self.main)
        self.assertIn("octo/other", self.say("deliveries", "retry", number, code=2))
        self.say("repository", "add", "--name", "other", "--url", self.remote, "--full-name", "octo/other")
        self.assertIn("queued: run", self.say("deliveries", "retry", number))
        self.assertIn("was not refused", self.say("deliveries", "retry", number, code=2))
        self.assertIn("octo/other", self.say("deliveries", "list"))
        self.assertIn("github-check", self.say("outbox", "list", "--status", "delivered"))
        told = json.loads(self.say("outbox", "list", "--status", "delivered", "--format", "json"))["messages"]
        self.assertIn("it is delivered", self.say("outbox", "retry", str(told[0]["id"]), code=2))
        self.assertIn("no message 9999", self.say("outbox", "retry", "9999", code=2))

    def actions(self):
        store = sqlite3.connect(os.path.join(self.folder, "kernelgate.sqlite"))
        try:
            return store.execute("SELECT action FROM audit_log").fetchall()
        finally:
            store.close()


if __name__ == "__main__":
    unittest.main()
