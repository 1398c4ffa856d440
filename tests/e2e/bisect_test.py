#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bisect_test.py KERNELGATE [SEED …]: real bisections over commits of the replay, by `kernelgate bisect --server
--wait` against a real server that a real hook triggers and a real runner serves.

For each seed 64 commits follow the replay's main branch: one shrinks the tile to three rows, as the replay's last
attempt does, two do not build, and one has a submodule that nobody can fetch, which is the machine's trouble and not
the commit's. Prints the steps of each bisection and the seconds that it took.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chaos"))
from service import REPOSITORY, Service, git  # noqa: E402

KERNELGATE, *SEEDS = sys.argv[1:]
del sys.argv[1:]
COMMITS = 64
KERNEL = "kernels/bsr_gemm/cpu/vectorized.cpp"
BENCHMARK = "bsr_gemm/512/bs:32/density:0.125"
PATIENCE_S = 3600


class Line:
    """Where what lies among the commits 1 … 64 after commit 0, which is good. A bisection tries 32 first, which does
    not build, and then what cannot be fetched; the culprit and its parent are well."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.culprit = draw.choice([number for number in range(6, COMMITS) if number not in (15, 16, 32, 33, 47, 48)])
        self.away = 15 if self.culprit < 32 else 47
        near = {self.culprit + step for step in (-5, -4, -3, -2, 1, 2)}
        self.unbuilt = {32, draw.choice(sorted(near - {self.away, 32, COMMITS, COMMITS + 1}))}


class Bisect(unittest.TestCase):
    def setUp(self):
        self.service = Service(KERNELGATE, tempfile.mkdtemp(prefix="kernelgate bisect "))
        self.addCleanup(self.service.remove)
        self.addCleanup(self.service.stop)
        self.service.set_up()
        self.source = self.service.source
        git(self.source, "config", "user.name", "Ada")
        git(self.source, "config", "user.email", "ada@example.org")
        with open(os.path.join(self.source, KERNEL)) as file:
            self.kernel = file.read()
        self.push("main")

    def write(self, name, text):
        with open(os.path.join(self.source, name), "w") as file:
            file.write(text)

    def commit(self, subject):
        git(self.source, "add", ".")
        git(self.source, "commit", "--quiet", "-m", subject)
        return git(self.source, "rev-parse", "HEAD").strip()

    def push(self, branch):
        """The hook queues a run; its conclusion."""
        known = {run["id"] for run in self.service.pages("/runs", "runs")}
        self.service.push("HEAD", branch)
        new = [run["id"] for run in self.service.pages("/runs", "runs") if run["id"] not in known]
        self.assertEqual(len(new), 1)
        finished = lambda: (self.service.get(f"/runs/{new[0]}?wait_s=20") or {}).get("conclusion")  # noqa: E731
        self.service.wait_for("the pushed commit's verdict", finished, PATIENCE_S)
        return finished()

    def bisect(self, good, bad, *more):
        done = subprocess.run([KERNELGATE, "bisect", "--server", "http://" + self.service.address, "--token-file",
                               self.service.path("trigger.token"), "--repository", REPOSITORY, "--repo", self.source,
                               "--good", good, "--bad", bad, "--wait", "--format", "json", *more],
                              capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr + self.service.log("runner"))
        return json.loads(done.stdout)

    def tell(self, what, found, commits, start):
        print(f"{what}: {time.monotonic() - start:.0f} s, {found['comparisons']} comparisons")
        for step in found["steps"]:
            print(f"  {commits.index(step['head'])} against {commits.index(step['base'])}: {step['reading']}",
                  step["ratio"] or step["why"][:90].replace("\n", " "), flush=True)

    # An ordinary change: other machine code that does the same.
    def change(self, number, line):
        tile = self.kernel.replace("kTileRows = 4", "kTileRows = 3") if number >= line.culprit else self.kernel
        broken = "this does not build\n" if number in line.unbuilt else ""
        self.write(KERNEL, f"{tile}extern const int bsr_gemm_change;\nconst int bsr_gemm_change = {number};\n{broken}")
        modules = os.path.join(self.source, ".gitmodules")
        if number == line.away:
            self.write(".gitmodules", f'[submodule "away"]\n  path = away\n  url = {self.service.path("away.git")}\n')
            git(self.source, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},away")
            os.mkdir(os.path.join(self.source, "away"))
        elif os.path.exists(modules):
            os.remove(modules)
            os.rmdir(os.path.join(self.source, "away"))
        return self.commit(f"Change {number}")

    def slower_commit_is_found(self, seed):
        line, start = Line(seed), time.monotonic()
        git(self.source, "checkout", "--quiet", "-B", f"slower-{seed}", "main")
        commits = [git(self.source, "rev-parse", "HEAD").strip()]
        commits += [self.change(number, line) for number in range(1, COMMITS + 1)]
        self.assertEqual(self.push(f"slower-{seed}"), "regressed")
        found = self.bisect(commits[0], commits[-1], "--benchmark", BENCHMARK)
        self.tell(f"seed {seed}, culprit {line.culprit}, does not build {sorted(line.unbuilt)}, away {line.away}",
                  found, commits, start)
        self.assertEqual(found["ending"], "culprit", found["text"])
        self.assertEqual(commits.index(found["culprit"]), line.culprit)
        self.assertLessEqual(found["comparisons"], 10)
        for step in found["steps"]:
            number = commits.index(step["head"])
            said = "unusable" if number in line.unbuilt else "trouble" if number == line.away else "timed"
            self.assertIn(step["reading"], (said, "same") if said == "timed" else (said,), step)
        met = {commits.index(step["head"]) for step in found["steps"]}
        self.assertLessEqual({32, line.away}, met)

    def test_the_slower_commit_is_found(self):
        for seed in SEEDS or ["1"]:
            self.slower_commit_is_found(int(seed))

    def test_the_wrong_commit_is_found(self):
        start, culprit = time.monotonic(), 6
        git(self.source, "checkout", "--quiet", "-B", "wrong", "main")
        wrong = git(self.source, "show", f"attempt/software-pipelining:{KERNEL}")
        commits = [git(self.source, "rev-parse", "HEAD").strip()]
        for number in range(1, 9):
            self.write(KERNEL, (wrong if number >= culprit else self.kernel) + f"// Change {number}\n")
            commits.append(self.commit(f"Change {number}"))
        self.assertEqual(self.push("wrong"), "broken")
        found = self.bisect(commits[0], commits[-1], "--until", "broken")
        self.tell("wrong numbers", found, commits, start)
        self.assertEqual((found["ending"], commits.index(found["culprit"])), ("culprit", culprit))


if __name__ == "__main__":
    unittest.main(verbosity=2)
