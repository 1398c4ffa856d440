# SPDX-License-Identifier: Apache-2.0
"""The table of gpu-check: one line a step as it ends, and everything as JSON."""

import itertools
import json
import sys
import threading
import time


class Failure(Exception):
    """A step does not hold; the text says what was seen instead."""


class Table:
    def __init__(self, out):
        self.out = out
        self.out.mkdir(parents=True, exist_ok=True)
        self.lines = []
        self.began = time.monotonic()

    def run_all(self, steps, shop):
        """In order; neighbours that have a track run beside each other, a thread for each track."""
        for tracked, group in itertools.groupby(steps, key=lambda step: step.track is not None):
            tracks = {}
            for step in group:
                tracks.setdefault(step.track if tracked else step.name, []).append(step)
            if not tracked:
                self.run_track(list(itertools.chain(*tracks.values())), shop)
                continue
            threads = [threading.Thread(target=self.run_track, args=(track, shop)) for track in tracks.values()]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def run_track(self, steps, shop):
        for step in steps:
            self.run(step, shop)

    def run(self, step, shop):
        started = time.monotonic()
        figures = {}
        try:
            says = step.run(shop, figures)
            passed = True
        except Failure as failure:
            says, passed = str(failure), False
        except Exception as error:  # a step that cannot be run has not passed
            says, passed = f"{type(error).__name__}: {error}", False
        took = time.monotonic() - started
        self.lines.append({"step": step.name, "passed": passed, "seconds": round(took, 1), "says": says,
                           "figures": figures})
        print(f"{'PASS' if passed else 'FAIL'}  {step.name:12} {took:6.1f} s  {says}", flush=True)

    def finish(self, facts):
        failed = [line["step"] for line in self.lines if not line["passed"]]
        took = time.monotonic() - self.began
        with open(self.out / "results.json", "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "facts": facts, "seconds": round(took, 1), "steps": self.lines}, file, indent=1)
        print(f"{len(self.lines) - len(failed)} of {len(self.lines)} steps pass in {took:.0f} s"
              + (f"; FAIL: {', '.join(failed)}" if failed else ""))
        sys.stdout.flush()
        return 1 if failed or not self.lines else 0
