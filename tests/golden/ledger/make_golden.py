#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes replay.sql and replay.md beside itself: what the ledger of a replay's store holds, and the report of it.

    kernelgate demo --work DIR --exit && tests/golden/ledger/make_golden.py DIR/kernelgate.db build/host/kernelgate

Data alone, with named columns, so that it fits every later schema; what the report does not read is left out (samples,
evidence, logs, secrets). The report is the program's own: read it before committing it.
"""

import pathlib
import re
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLES = ["repositories", "commits", "testbeds", "epochs", "benchmarks", "runs", "run_documents", "comparisons",
          "checks", "attempt_facts", "attempts", "attempt_runs", "attempt_failures"]
URL = "file:///srv/git/replay.git"


def placeless(text):
    """Compilers name the sandbox's folders: no part of the story. A name as long, so that lines are cut alike."""
    return re.sub(r"/\w+/(source|build)/", r"/tree/\1/", text)


def literal(store, value):
    return store.execute("SELECT quote(?)", (value,)).fetchone()[0]


def main():
    store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    lines = []
    for table in TABLES:
        rows = store.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in rows.description]
        for row in rows:
            row = dict(zip(names, row))
            if table == "repositories":
                row["url"] = URL
            if table == "runs":
                row["lease_sha256"] = ""
            if table == "run_documents":
                row["evidence"], row["manifest"] = "{}", ""
            values = ", ".join(literal(store, row[name]) for name in names)
            lines.append(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values});")
    (HERE / "replay.sql").write_text(placeless("\n".join(lines)) + "\n")
    report = subprocess.run([sys.argv[2], "report", "tuning", "--db", sys.argv[1]], check=True,
                            capture_output=True, text=True)
    (HERE / "replay.md").write_text(placeless(report.stdout))


main()
