#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""outbox_test.py KERNELGATE: the real server tells a forge of runs while both are killed, restarted and interrupted.

Nothing that a forge must hear is lost, nothing goes backwards, and there is one check run each run and one comment
each pull request.
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fake_forge import WEBHOOK_SECRET, Forge  # noqa: E402
from gate import Gate  # noqa: E402

KERNELGATE = sys.argv.pop()
RUNS = 12
TIMEOUT_S = 0.4
PATIENCE_S = 120


def config_of(forge, folder, gitlab):
    def secret(name, text):
        with open(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(text)

    key = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True).stdout
    secret("app.pem", key)
    secret("gitlab.token", b"gitlab-token")
    secret("hook.secret", WEBHOOK_SECRET)
    secret("room.url", (forge.url() + "/room").encode())
    where = f'[gitlab]\napi_url = "{forge.url()}"\ntoken_file = "gitlab.token"\n' if gitlab else \
        f'[github]\napi_url = "{forge.url()}"\napp_id = 77\napp_key_file = "app.pem"\n'
    path = os.path.join(folder, "gate.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""schema = 1
{where}
[[webhook]]
name = "ci"
url = "{forge.url()}/hook"
secret_file = "hook.secret"
[[chat]]
name = "room"
url_file = "room.url"
[delivery]
timeout_s = {TIMEOUT_S}
first_pause_s = 0.02
pause_max_s = 0.2
""")
    return path


class Outbox(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kg outbox ")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        seed = int(os.environ.get("KERNELGATE_SEED", "7"))
        self.random = random.Random(seed)
        self.troubles = []
        self.forge = Forge(lambda: self.random.choice(self.troubles) if self.troubles else None, 2 * TIMEOUT_S)
        self.forge.start()
        self.addCleanup(self.forge.stop)

    def open_gate(self, gitlab=False):
        gate = Gate(KERNELGATE, self.folder, config_of(self.forge, self.folder, gitlab))
        self.addCleanup(gate.close)
        gate.start()
        gate.ask("POST", "/repositories", {"name": "kernels", "url": "/srv/kernels.git", "full_name": "octo/kernels"})
        return gate

    def wait_until_told(self, gate):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            unwritten = gate.changes()  # asked first: what is written meanwhile is pending then
            page = gate.ask("GET", "/outbox?status=pending")[1]
            if not page["messages"] and not unwritten:
                return
            time.sleep(0.05)
        self.fail("not told in time: " + json.dumps(page["messages"])[:2000] + gate.log())

    def check_statuses(self, gate, runs):
        """Per commit: runs in order, nothing of a run after its end, the last word that of the newest run's end."""
        for commit, said in self.forge.statuses.items():
            newest, ended = 0, set()
            for status in (one for one in said if not one["late"]):
                run = int(status["target_url"].rsplit("/", 1)[1])
                self.assertGreaterEqual(run, newest, said)
                self.assertFalse(status["state"] == "pending" and run in ended, said)
                newest = run
                if status["state"] != "pending":
                    ended.add(run)
            last = runs[newest]
            self.assertEqual(said[-1]["state"], last["commit_status"], said)
            self.assertTrue(said[-1]["target_url"].endswith(f"/runs/{newest}"))
        self.assertEqual(set(self.forge.statuses), {run["commit"] for run in runs.values()})

    def check_all(self, gate):
        runs = {run["id"]: run for run in gate.ask("GET", "/runs?limit=500")[1]["runs"]}
        self.assertEqual(self.forge.invalid, [])
        self.check_statuses(gate, runs)
        by_run = {}
        for check in self.forge.checks.values():
            by_run.setdefault(int(check["external_id"]), []).append(check)
        self.assertEqual(sorted(by_run), sorted(runs))
        for number, checks in by_run.items():
            self.assertEqual(len(checks), 1, checks)
            want = {"build_failed": "failure", "infrastructure": "neutral", "": "cancelled"}[runs[number]["conclusion"]]
            self.assertEqual((checks[0]["status"], checks[0].get("conclusion")), ("completed", want))
        wanted = {str(run["pull_request"]["number"]) for run in runs.values() if run.get("pull_request")}
        self.assertEqual(sorted(one["pull_request"] for one in self.forge.comments.values()), sorted(wanted))
        for comment in self.forge.comments.values():
            newest = max(number for number, run in runs.items()
                         if run.get("pull_request") and str(run["pull_request"]["number"]) == comment["pull_request"])
            self.assertIn(f"/runs/{newest})", comment["body"])
            self.assertTrue(comment["body"].startswith("<!-- kernelgate:kernelgate -->"))
        heard = {}
        for hook in self.forge.hooks:
            self.assertEqual(heard.setdefault(hook["run"]["id"], hook["delivery"]), hook["delivery"])
        self.assertEqual(sorted(heard), sorted(runs))
        told = {int(re.search(r"/runs/(\d+)", text).group(1)) for text in self.forge.chats}
        self.assertEqual(told, {number for number, run in runs.items() if run["conclusion"]})

    def test_nothing_is_lost_and_nothing_goes_backwards(self):
        self.troubles = [None] * 12 + ["limit", "busy", "gone", "gone", "cut", "cut", "late", "away", "away"]
        gate = self.open_gate()
        kills = 0
        for number in range(RUNS):
            fork = number % 4 == 0
            pull_request = {"number": 1 + number % 3, "target": "main", "fork": fork} if number % 2 == 0 else None
            run = gate.trigger(f"{number // 2:040x}", pull_request, force=number % 2 == 1)
            if number % 5 == 4:
                gate.ask("POST", f"/runs/{run}/cancel")
            else:
                gate.work(self.random)
            if number % 3 == 1:
                time.sleep(self.random.random() * TIMEOUT_S)
                gate.stop(signal.SIGKILL)
                kills += 1
                gate.start()
            if number == RUNS // 2:
                self.forge.stop()
                time.sleep(TIMEOUT_S)
                self.forge.start()
        for run in gate.ask("GET", "/runs?state=unfinished&limit=500")[1]["runs"]:
            gate.ask("POST", f"/runs/{run['id']}/cancel")
        self.wait_until_told(gate)
        self.assertGreaterEqual(kills, RUNS // 3)
        self.check_all(gate)
        self.assertEqual(gate.stop(), 0)

    def test_gitlab_hears_the_same(self):
        self.troubles = [None, None, "limit", "busy", "cut", "away"]
        gate = self.open_gate(gitlab=True)
        for number in range(3):
            gate.trigger(f"{number:040x}", None)
            gate.work(self.random)
        self.wait_until_told(gate)
        runs = gate.ask("GET", "/runs")[1]["runs"]
        for run in runs:
            want = {"build_failed": "failed", "infrastructure": "canceled"}[run["conclusion"]]
            self.assertEqual(self.forge.gitlab[run["commit"]][-1]["state"], want)
        self.assertEqual(self.forge.invalid, [])

    def test_what_is_given_up_is_seen_and_can_be_taken_up_again(self):
        path = config_of(self.forge, self.folder, False)
        with open(path, "a", encoding="utf-8") as file:
            file.write("give_up_s = 1\n")
        self.forge.stop()
        gate = Gate(KERNELGATE, self.folder, path)
        self.addCleanup(gate.close)
        gate.start()
        gate.ask("POST", "/repositories", {"name": "kernels", "url": "/srv/kernels.git", "full_name": "octo/kernels"})
        run = gate.trigger("a" * 40, None)
        gate.ask("POST", f"/runs/{run}/cancel")
        self.wait_until_told(gate)
        given_up = gate.ask("GET", "/outbox?status=gave_up")[1]["messages"]
        self.assertTrue(given_up)
        self.assertEqual(gate.health()["outbox_gave_up"], len(given_up))
        self.forge.start()
        for message in given_up:
            self.assertEqual(gate.ask("POST", f"/outbox/{message['id']}/retry")[0], 200)
        self.wait_until_told(gate)
        self.assertEqual(gate.health()["outbox_gave_up"], 0)
        self.assertEqual(self.forge.statuses["a" * 40][-1]["state"], "error")


if __name__ == "__main__":
    unittest.main()
