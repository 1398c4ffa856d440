#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills an empty store with a long history, for trying pages and queries on much data.

Figures are made up from the numbers of commit and benchmark alone, so two calls make the same store. Every commit has a
point of each benchmark in the history; the newest commits have their comparisons and raw samples too, as after a sweep
of old samples. Everything is written as SQL against the present schema, one transaction a table.
"""
import argparse
import array
import random
import sqlite3
import statistics
import subprocess
import sys
import time

# Mixed well enough that neither commits nor benchmarks show a pattern.
NOISE = ("(((((b.id * 7919 + r.id * 104729) % 65537) * ((b.id * 31 + r.id * 7) % 65521) % 1000003) * 7817 % 1000003) "
         "/ 1000003.0 - 0.5)")
BASE_NS = "(2000 + (b.id * 48271) % 900000)"
# Each benchmark has two changes of level and a slow drift of its own.
LEVEL = (f"{BASE_NS} * (1 + 0.06 * (r.id > :commits / 3 + (b.id * 37) % (:commits / 4)) "
         "- 0.04 * (r.id > :commits * 2 / 3 + (b.id * 53) % (:commits / 5)) + 0.01 * r.id / :commits)")
MEDIAN = f"{LEVEL} * (1 + 0.008 * {NOISE})"
PATTERNS = 32
SAMPLES = 10  # of a process


def make_runs(store, size):
    store.execute("""INSERT INTO repositories (name, url, default_branch, created_at)
        VALUES ('large', 'https://git.example.org/large.git', 'main', 1600000000000)""")
    store.execute("INSERT INTO testbeds (name) VALUES ('h100-sxm')")
    store.executemany(
        """INSERT INTO epochs (testbed_id, facts_sha256, gpu_model, compute_capability, driver, toolkit, power_limit,
            mig_mode, host_cpu, since)
        VALUES (1, ?, 'NVIDIA H100 80GB HBM3', '9.0', ?, '13.0', '700 W', 'none', 'Xeon 8480+', ?)""",
        ((f"{number:064x}", f"58{number}.65", 1600000000000 + number * size.commits // size.epochs * 3600000)
         for number in range(size.epochs)))
    numbers = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < :commits) "
    store.execute(numbers + """INSERT INTO commits (id, repository_id, hash, tree, subject, author)
        SELECT id, 1, printf('%08x%032x', (id * 2654435761) % 4294967296, id), printf('%040x', id),
            'Change ' || id || ' of the kernels', 'Ada Kernel <ada@example.org>' FROM n""", size.values)
    store.execute(numbers + """INSERT INTO runs (id, repository_id, head_id, base_id, branch, source, base_kind,
            base_argument, idempotency_key, seed, state, runner, epoch_id, manifest_sha256, policy, rule_version,
            conclusion, summary, exit_code, gpu_s_held, gpu_s_used, wall_s, created_at, started_at, finished_at)
        SELECT id, 1, id, nullif(id - 1, 0), 'main', 'post-receive', 'first_parent', '', 'large-' || id, id, 'done',
            'h100-01', 1 + (id - 1) * :epochs / :commits, '', 'tolerate=0.01 catch=0.03', 1, 'passed',
            'No change beyond what is tolerated.', 0, 90, 60, 200, 1600000000000 + id * 3600000,
            1600000000000 + id * 3600000 + 5000, 1600000000000 + id * 3600000 + 205000 FROM n""", size.values)


def make_benchmarks(store, size):
    names = (f"{family}/{dtype}/M:{m}/N:{n}" for n in range(64, 1 << 20, 64) for m in (512, 4096, 8192)
             for family in ("gemm", "attention", "layernorm", "softmax") for dtype in ("bf16", "fp8"))
    store.executemany("INSERT INTO benchmarks (repository_id, suite, name) VALUES (1, 'kernels', ?)",
                      ((name,) for name, _ in zip(names, range(size.benchmarks))))


def make_history(store, size):
    store.execute(f"""INSERT INTO history (benchmark_id, run_id, epoch_id, finished_at, median_ns, spread_ns,
            process_count, sample_count, verdict, ratio, ratio_low, ratio_high)
        SELECT b.id, r.id, r.epoch_id, r.finished_at, {MEDIAN}, 0.006 * {BASE_NS} * (1 + abs{NOISE}), 8, 80,
            CASE WHEN (b.id + r.id) % 997 = 0 THEN 'regressed' ELSE 'unchanged' END,
            1 + 0.004 * {NOISE}, 0.996 + 0.004 * {NOISE}, 1.004 + 0.004 * {NOISE}
        FROM benchmarks b CROSS JOIN runs r ORDER BY b.id, r.id""", size.values)


def make_comparisons(store, size):
    store.execute(f"""INSERT INTO comparisons (run_id, position, benchmark_id, epoch_id, verdict, reason, fingerprint,
            round, pairs, ratio, ratio_low, ratio_high, base_median_ns, head_median_ns, sum_squares, degrees, against)
        SELECT r.id, b.id - 1, b.id, r.epoch_id, 'unchanged', 'within what is tolerated', '', 0, 8,
            1 + 0.004 * {NOISE}, 0.996 + 0.004 * {NOISE}, 1.004 + 0.004 * {NOISE}, {MEDIAN} / (1 + 0.004 * {NOISE}),
            {MEDIAN}, 0.0001, 7, 'pairs'
        FROM runs r CROSS JOIN benchmarks b WHERE r.id > :first ORDER BY r.id, b.id""", size.values)


def make_samples(store, size):
    """Samples come from a few patterns a benchmark: what is tried is their number, not their likeness."""
    random.seed(7)
    store.execute("""CREATE TEMP TABLE patterns (benchmark_id INTEGER, pattern INTEGER, median_ns REAL, samples BLOB,
        PRIMARY KEY (benchmark_id, pattern)) WITHOUT ROWID""")
    for benchmark, base in store.execute(f"SELECT b.id, {BASE_NS} FROM benchmarks b").fetchall():
        rows = []
        for pattern in range(PATTERNS):
            samples = [base * random.gauss(1, 0.003) for _ in range(SAMPLES)]
            rows.append((benchmark, pattern, statistics.median(samples), array.array("d", samples).tobytes()))
        store.executemany("INSERT INTO patterns VALUES (?, ?, ?, ?)", rows)
    for place, side in enumerate(("base", "head")):
        store.execute(f"""INSERT INTO processes (run_id, process_id, generation, suite, side, round, pair, attempt,
                position, disturbed, disturbance, started_at, wall_s, gpu_s, ending, exit_code, signal, text,
                device_state, stored_at)
            SELECT r.id, r.id || '-{side}', 1, 'kernels', '{side}', 0, 0, 0, {place}, 0, '', r.started_at, 3.0, 2.0,
                'ok', 0, 0, '', '{{}}', r.finished_at
            FROM runs r WHERE r.id > :first ORDER BY r.id""", size.values)
    store.execute(f"""INSERT INTO series (process_id, position, benchmark_id, sample_count, median_ns, samples, error,
            counters)
        SELECT p.id, b.id - 1, b.id, {SAMPLES}, s.median_ns, s.samples, '', '{{}}'
        FROM processes p CROSS JOIN benchmarks b JOIN patterns s ON s.benchmark_id = b.id
            AND s.pattern = (p.id * 31 + b.id * 17) % {PATTERNS} ORDER BY p.id, b.id""")


def make_baselines(store, size):
    for name, at, anchor in (("release-1", size.commits // 4, 0), ("release-2", size.commits - 20, 1)):
        store.execute("""INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at,
            anchor)
            SELECT 1, id, epoch_id, ?, 'ada', 'release', finished_at, ? FROM runs WHERE id = ?""", (name, anchor, at))
        store.execute("""INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count)
            SELECT (SELECT max(id) FROM baselines), b.id, g.median_ns, g.process_count
            FROM benchmarks b JOIN history g ON g.benchmark_id = b.id AND g.run_id = ?""", (at,))


class Size:
    def __init__(self, asked):
        self.benchmarks, self.commits, self.epochs = asked.benchmarks, asked.commits, asked.epochs
        sampled = min(asked.sampled, self.commits)
        self.values = {"commits": self.commits, "epochs": self.epochs, "first": self.commits - sampled}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", help="the store's file; it must not hold a repository")
    parser.add_argument("--kernelgate", default="build/host/kernelgate", help="makes the empty store")
    parser.add_argument("--small", action="store_true", help="12 benchmarks, 400 commits, 3 epochs")
    parser.add_argument("--benchmarks", type=int, default=500)
    parser.add_argument("--commits", type=int, default=10000)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--sampled", type=int, default=1000, help="the newest so many commits keep their samples")
    asked = parser.parse_args()
    if asked.small:
        asked.benchmarks, asked.commits, asked.epochs, asked.sampled = 12, 400, 3, 20
    size = Size(asked)
    token = ["token", "create", "--db", asked.store, "--name", "large-store", "--role", "read"]
    subprocess.run([asked.kernelgate, *token], check=True, stdout=subprocess.DEVNULL)
    store = sqlite3.connect(asked.store)
    if store.execute("SELECT count(*) FROM repositories").fetchone()[0]:
        sys.exit("the store is in use: name a new file")
    store.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
    for step in (make_runs, make_benchmarks, make_history, make_comparisons, make_samples, make_baselines):
        start = time.monotonic()
        step(store, size)
        print(f"{step.__name__[5:]:12} {time.monotonic() - start:6.1f} s", flush=True)
    store.commit()
    store.execute("ANALYZE")
    store.commit()
    count = store.execute("SELECT (SELECT count(*) FROM history), (SELECT sum(sample_count) FROM series)").fetchone()
    print(f"{count[0]} points of history, {count[1]} samples")


if __name__ == "__main__":
    main()
