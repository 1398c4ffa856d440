#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes NNNN.sql beside itself: a small store as the program of schema NNNN left it.

Run once when a schema is released: tests/golden/db/make_golden.py NNNN. Files that are there are never rewritten,
for old stores do not change.
"""

import hashlib
import pathlib
import sqlite3
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
MIGRATIONS = HERE.parents[2] / "db" / "migrations"
ROWS = """
INSERT INTO repositories (name, url, default_branch, manifest, created_at)
  VALUES ('kernels', 'file:///srv/kernels.git', 'main', '', 1700000000000);
INSERT INTO commits (repository_id, hash, tree, subject, author) VALUES
  (1, '1111111111111111111111111111111111111111', '2222222222222222222222222222222222222222', 'Naive', 'A <a@b>'),
  (1, '3333333333333333333333333333333333333333', '4444444444444444444444444444444444444444', 'Faster', 'A <a@b>');
INSERT INTO testbeds (name) VALUES ('bed');
INSERT INTO epochs (testbed_id, facts_sha256, gpu_model, compute_capability, driver, toolkit, power_limit, mig_mode,
  host_cpu, since) VALUES (1, 'f', '', '', '', '', '', '', 'cpu', 1700000000000);
INSERT INTO benchmarks (repository_id, suite, name) VALUES (1, 's', 'b');
INSERT INTO runs (repository_id, head_id, base_id, branch, source, base_kind, base_argument, idempotency_key, seed,
  state, epoch_id, generation, conclusion, exit_code, created_at, finished_at)
  VALUES (1, 2, 1, 'main', 'cli', 'first_parent', '', 'k', 7, 'done', 1, 1, 'passed', 0, 1700000000001, 1700000000002);
INSERT INTO processes (run_id, process_id, generation, suite, side, round, pair, attempt, position, disturbed,
  disturbance, started_at, wall_s, gpu_s, ending, exit_code, signal, text, device_state, stored_at)
  VALUES (1, 'p', 1, 's', 'head', 0, 0, 0, 0, 0, '', 1700000000001, 1, 0.5, 'ok', 0, 0, '', '{}', 1700000000001);
"""


def main():
    last = int(sys.argv[1])
    target = HERE / f"{last:04d}.sql"
    if target.exists():
        sys.exit(f"{target.name} exists: an old store does not change")
    store = sqlite3.connect(":memory:")
    store.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                  "sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT")
    for path in sorted(MIGRATIONS.glob("*.sql")):
        number = int(path.name[:4])
        if number <= last:
            text = path.read_text()
            store.executescript(text)
            store.execute("INSERT INTO migrations VALUES (?, ?, ?, 1700000000000)",
                          (number, path.name, hashlib.sha256(text.encode()).hexdigest()))
    store.executescript(ROWS)
    store.execute("INSERT INTO series (process_id, position, benchmark_id, sample_count, median_ns, samples) "
                  "VALUES (1, 0, 1, 3, 2.5, ?)", (struct.pack("<3d", 1.5, 2.5, 3.5),))
    lines = list(store.iterdump())
    lines += [f"PRAGMA user_version = {last};", f"PRAGMA application_id = {0x6b676462};"]
    target.write_text("\n".join(lines) + "\n")


main()
