#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries who may use a GPU, and the start of an epoch: card_check.py KERNELGATE FOREIGN [ARGUMENT...].

KERNELGATE is the executable, its helper programs beside it; FOREIGN a program that uses the GPU until it is killed.
The new epoch is a changed number of processors: the file that tells it is covered in a mount namespace of the runner's
own, so that nothing else changes, and the shift that is measured must be small. Prints PASS or FAIL a line; what was
printed is kept in $OUT (default: build/card-check). Exit code 1 on any FAIL."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from code_check import OUT, SLOW, Check

ONLINE = "/sys/devices/system/cpu/online"
FOREIGN_S = 6  # the GPU stays busy for so long after the runs have asked for it
SHIFT_MOST = 5  # per cent; the suite has no timing kit: its processes differ by 1 to 2 %
TIMEOUT_S = 120


class Watched:
    """A program whose stderr is a terminal, so that it shows its progress."""

    def __init__(self, argv):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        self.told = ""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                part = os.read(self.ours, 4096)
            except OSError:  # the program has closed it
                return
            if not part:
                return
            self.told += part.decode(errors="replace")

    def waits_for(self, words, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None and words not in self.told:
            time.sleep(0.05)
        return words in self.told

    def end(self):
        out = self.process.communicate(timeout=TIMEOUT_S)[0]
        self.reader.join()
        os.close(self.ours)
        return out


class CardCheck(Check):
    def judged(self, name):
        """The last commit against its parent, in a clone: runs of one repository would wait for each other."""
        clone = os.path.join(self.clones, name)
        subprocess.run(["git", "clone", "-q", self.folder, clone], check=True)
        return Watched([str(self.program), "run", "--repo", clone, "--base", "HEAD^", "--format", "json", "--db",
                        os.path.join(self.clones, f"{name}.db")])

    def keep(self, name, text):
        (OUT / f"{name}.txt").write_text(text, encoding="utf-8")

    def sharing(self, argv):
        """A foreign process is on the GPU; two runs want it."""
        self.clones = tempfile.mkdtemp(prefix="kernelgate-clones-")
        foreign = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)  # its context
            runs = [self.judged(name) for name in ("one", "other")]
            waited = all([run.waits_for("waiting: ", 60) for run in runs])
            time.sleep(FOREIGN_S if waited else 0)
            early = [run.process.poll() for run in runs] != [None, None]
            there = foreign.poll() is None
        finally:
            foreign.kill()
            foreign.wait()
        documents = [json.loads(run.end() or "{}") for run in runs]
        for number, run in enumerate(runs):
            self.keep(f"waiting-{number}", run.told)
        why = sorted({words for run in runs for words in re.findall(r"waiting: ([^\r\x1b]*)", run.told)})
        self.say("the GPU is not taken beside a foreign process, and why is said",
                 there and waited and not early and any("used by" in words for words in why), why)
        spans = [self.span(os.path.join(self.clones, f"{name}.db")) for name in ("one", "other")]
        apart = spans[0][1] <= spans[1][0] or spans[1][1] <= spans[0][0]
        summaries = [document.get("summary") for document in documents]
        self.say("two runs take the GPU in turn",
                 all("1 improved" in str(summary) for summary in summaries) and apart,
                 f"{summaries}, measuring {[f'{end - begin:.1f} s' for begin, end in spans]}, "
                 f"{'apart' if apart else 'together'}")

    @staticmethod
    def span(store):
        with sqlite3.connect(store) as rows:
            span = rows.execute(
                "SELECT min(started_at) / 1e3, max(started_at / 1e3 + wall_s) FROM processes").fetchone()
        return [moment or 0 for moment in span]

    def epoch(self):
        work = tempfile.mkdtemp(prefix="kernelgate-epoch-")
        port, token = os.path.join(work, "port"), os.path.join(work, "token")
        serves = subprocess.Popen([self.program, "server", "--listen", "127.0.0.1:0", "--data", f"{work}/server",
                                   "--port-file", port, "--admin-token-file", token, "--no-access-log"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 20
            while not os.path.exists(port) and time.monotonic() < end:
                time.sleep(0.05)
            with open(port, encoding="utf-8") as file:
                there = ["--server", f"http://127.0.0.1:{file.read().strip()}", "--token-file", token]
            self.epoch_story(there, work)
        finally:
            serves.terminate()
            serves.wait()

    def epoch_story(self, there, work):
        runner = [str(self.program), "runner", *there, "--work", f"{work}/runner", "--once"]
        self.must("repository", "add", *there, "--name", "scale", "--url", str(self.folder))

        def take(commit, *before):
            self.must("trigger", *there, "--repository", "scale", "--repo", str(self.folder), "--commit", commit)
            subprocess.run([*before, *runner], check=True, capture_output=True, timeout=TIMEOUT_S)

        take("HEAD~2")
        self.must("baseline", "promote", *there, "--repository", "scale", "--run", "1", "--name", "release", "--anchor",
                  "--reason", "what epochs are compared with")
        take("HEAD~1")
        with open(f"{work}/online", "w", encoding="utf-8") as file:
            file.write("0\n")
        covered = f"mount --bind '{work}/online' {ONLINE} && exec \"$@\""
        rights = [] if os.geteuid() == 0 else ["-r"]
        take("HEAD", "unshare", "-m", *rights, "sh", "-c", covered, "runner")
        shown = self.must("runs", "show", "3", *there, "--format", "json")
        self.keep("epoch", shown)
        document = json.loads(shown)
        text = next((notice for notice in document["notices"] if notice.startswith("a new epoch")), "no notice")
        shift = re.search(r"([+-][\d.]+) % on the anchored baseline's kept binaries", text)
        self.say("a new epoch times the kept binaries again, and what head changes is head's",
                 bool(shift) and abs(float(shift.group(1))) < SHIFT_MOST and "1 improved" in document["summary"],
                 f"{text}; {document['summary']}")

    def must(self, *words):
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True,
                              timeout=TIMEOUT_S).stdout


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit("usage: card_check.py KERNELGATE FOREIGN [ARGUMENT...]")
    check = CardCheck(sys.argv[1])
    check.commit(work=SLOW)
    check.commit(work=SLOW, tail="int counted = 0;\n")
    check.commit()
    check.sharing(sys.argv[2:])
    check.epoch()
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
