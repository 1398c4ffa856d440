#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill_test.py KERNELGATE [SEED]: a shortened story with twenty SIGKILLs of server and runner spread over it. Every
commit must reach its right outcome, once, and the store must hold every sample it ever acknowledged, once."""
import collections
import random
import sqlite3
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from service import REPOSITORY, Service  # noqa: E402

SEED = int(sys.argv.pop()) if len(sys.argv) > 2 else 20
KERNELGATE = sys.argv.pop()

# Steps of the story, the conclusion and verdict each must reach, and what is killed while it is worked on. No run may
# lose its runner five times: it would rightly be given up.
PLAN = [(1, "passed", "added", ["server", "runner"]),
        (2, "passed", "improved", ["runner", "server", "server"]),
        (3, "passed", "improved", ["server", "runner", "runner"]),
        (4, "regressed", "regressed", ["runner", "server", "runner"]),
        (5, "broken", "broken", ["server", "runner"]),
        (9, "build_failed", None, ["runner", "server"]),
        (10, "passed", "identical", ["server", "runner"]),
        (11, "regressed", "regressed", ["runner", "server", "server"])]
KILLS = 20
RUN_PATIENCE_S = 240


class Chaos:
    """Plays the plan; what it saw on the way is checked at the end."""

    def __init__(self, service):
        self.service, self.random = service, random.Random(SEED)
        self.acknowledged = collections.defaultdict(set)  # run -> ids of processes that the API has shown

    def run_of(self, commit):
        page = self.service.get(f"/runs?repository={REPOSITORY}&commit={commit}")
        return page["runs"][0] if page and page["runs"] else None

    def finished(self, commit):
        run = self.run_of(commit)
        return run is not None and run["state"] in ("done", "aborted", "cancelled")

    def note_processes(self, commit):
        run = self.run_of(commit)
        if run:
            self.acknowledged[run["id"]] |= {process["id"] for process in self.service.processes(run["id"])}

    def kill_and_restart(self, victim):
        self.service.kill(victim)
        time.sleep(self.random.uniform(0, 0.5))
        self.service.start(victim)

    def play(self, commits):
        for step, _, _, victims in PLAN:
            commit, branch, title = commits[step - 1]
            print(f"{step:2} {title}: {', '.join(victims)}", file=sys.stderr, flush=True)
            victims = list(victims)
            if victims[0] == "server":  # the hook finds no server: it must keep the trigger
                self.service.kill(victims.pop(0))
                self.service.push(commit, branch)
                self.service.start("server")
                self.service.flush()
            else:
                self.service.push(commit, branch)
            self.service.wait_for("the run to exist", lambda c=commit: self.run_of(c) is not None, 60)
            for victim in victims:
                time.sleep(self.random.uniform(0.2, 4))
                self.note_processes(commit)
                self.kill_and_restart(victim)
            self.service.wait_for(f"step {step} to finish", lambda c=commit: self.finished(c), RUN_PATIENCE_S)
            self.note_processes(commit)


class KillTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(KERNELGATE, tempfile.mkdtemp(prefix="kernelgate-kill-"))
        cls.commits = cls.service.set_up()
        cls.chaos = Chaos(cls.service)
        cls.chaos.play(cls.commits)
        cls.store = sqlite3.connect(cls.service.store)

    @classmethod
    def tearDownClass(cls):
        cls.store.close()
        cls.service.stop()
        cls.service.remove()

    def rows(self, query, *values):
        return self.store.execute(query, values).fetchall()

    def test_twenty_were_killed(self):
        self.assertEqual(sum(self.service.kills.values()), KILLS)

    def test_every_commit_reached_its_outcome_once(self):
        runs = self.service.pages(f"/runs?repository={REPOSITORY}", "runs")
        self.assertEqual(sorted(run["commit"] for run in runs), sorted(self.commits[step - 1][0] for step, *_ in PLAN))
        for step, conclusion, verdict, _ in PLAN:
            commit = self.commits[step - 1][0]
            run = self.service.call("GET", f"/runs/{self.chaos.run_of(commit)['id']}")
            self.assertEqual((run["state"], run["conclusion"]), ("done", conclusion), f"step {step}: {run}")
            if verdict:
                self.assertIn(verdict, {comparison["verdict"] for comparison in run["comparisons"]}, f"step {step}")

    def test_no_acknowledged_process_was_lost(self):
        for run, seen in self.chaos.acknowledged.items():
            stored = {process for process, in self.rows("SELECT process_id FROM processes WHERE run_id = ?", run)}
            self.assertEqual(seen - stored, set(), f"run {run}")

    def test_the_api_shows_what_the_file_holds(self):
        for run, in self.rows("SELECT id FROM runs"):
            shown = self.service.processes(run)
            ids = [process["id"] for process in shown]
            self.assertEqual(len(ids), len(set(ids)), f"run {run}")
            stored = dict(self.rows("SELECT p.process_id, (SELECT sum(sample_count) FROM series"
                                    " WHERE series.process_id = p.id) FROM processes p WHERE run_id = ?", run))
            self.assertEqual(set(ids), set(stored), f"run {run}")
            for process in shown:
                samples = sum(len(series["samples_ns"]) for series in process["series"])
                self.assertEqual(samples, stored[process["id"]] or 0, f"run {run}, process {process['id']}")

    def test_no_pair_is_missing_or_doubled(self):
        for run, in self.rows("SELECT id FROM runs WHERE base_id IS NOT NULL"):
            sides = self.rows("SELECT suite, round, pair, side, attempt FROM processes"
                              " WHERE run_id = ? AND superseded = 0", run)
            self.assertEqual(len(sides), len(set(sides)), f"run {run}")
            pairs = collections.defaultdict(set)
            for suite, nth_round, pair, side, _ in sides:
                pairs[(suite, nth_round, pair)].add(side)
            self.assertTrue(all(both == {"base", "head"} for both in pairs.values()), f"run {run}: {pairs}")
            judged = self.rows("SELECT max(pairs) FROM comparisons WHERE run_id = ?", run)[0][0] or 0
            self.assertEqual(sorted(pair for _, nth_round, pair in pairs if nth_round == 0), list(range(judged)),
                             f"run {run}")

    def test_every_series_is_whole(self):
        counts = self.rows("SELECT DISTINCT sample_count FROM series JOIN processes ON processes.id = series.process_id"
                           " WHERE ending = 'ok'")
        self.assertLessEqual({count for count, in counts}, {5, 9})

    def test_the_file_is_sound(self):
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.rows("PRAGMA foreign_key_check"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
