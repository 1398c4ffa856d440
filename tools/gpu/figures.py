#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the figures of a GPU through kernelgate: figures.py --kernelgate FILE [--out DIR] [--only PART,...].

Parts: docs (a commit that changes words alone), aa (one kernel against itself, five runs), injected (real extra work of
1, 2, 3 and 5 %, its long-run ratio from 20 processes a side), short (spread between processes, batched and lone),
characterize (every benchmark alone, 100 samples in 10 processes).
Each writes PART.json with its provenance to DIR (default $OUT, else build/figures). Needs nvcc, g++, git and Google
Benchmark; about 9 minutes on an H200 with 16 processors. `kernelgate run` judges a git repository made of kernels/:
an injection is one committed constant, and the other side of A/A differs by one text that the suites print.
Exit code 0: every figure holds; 1: one does not; 2: something could not be run.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import figures_math as figures

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SUITES = ["memory", "reduce", "softmax", "gemm"]
PARTS = ["docs", "aa", "injected", "short", "characterize"]
PERMILLES = [10, 20, 30, 50]
FLAGS = ["--benchmark_repetitions=12", "--benchmark_min_time=0.0005"]  # the first three are warm-ups
WARM_UPS = 3
AA = ("^(copy|triad|reduce|softmax/(1024x512|4096x1024/cold|8192x4096)|"
      "gemm/(fp16/512|fp16/1024/cold|fp16/4096|fp32/256|fp32/512|fp32/1024/warm))")
INJECTED = ("^(copy/4MiB|copy/1GiB|triad/256MiB|reduce/atomic/64MiB|reduce/two_pass/512MiB|softmax/8192x4096|"
            "gemm/(fp32/512|fp32/1024/warm|fp16/4096))")
SHORT = {"memory_bench": "^(copy|triad)/.*/warm/", "reduce_bench": "/warm/", "softmax_bench": "/1024x512/warm/",
         "memory_lone_bench": "."}
MANIFEST = """schema = 1

[build]
build = "sh {source}/build.sh {source} {build}"
inputs = ["kernels/**", "build.sh"]
""" + "".join(f"""
[[suite]]
name = "{suite}"
run = "{{build}}/{suite}_bench"
check = "{{build}}/{suite}_check"
timeout_s = 60
requires = {{ gpu = true }}
""" for suite in SUITES)


class Failed(Exception):
    """Something could not be run."""


def run(argv, codes=(0,), **how):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", check=False, **how)
    except OSError as error:
        raise Failed(f"{argv[0]}: {error.strerror}") from error
    if done.returncode not in codes:
        raise Failed(f"{' '.join(argv)} ended with {done.returncode}: {done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


class Repository:
    """kernels/ of this tree, and its commits: base, aa, docs and one for each injection."""

    def __init__(self, folder):
        self.folder = folder
        self.commits = {}
        shutil.copytree(os.path.join(ROOT, "kernels"), os.path.join(folder, "kernels"))
        shutil.copy(os.path.join(ROOT, "tools", "gpu", "suites_build.sh"), os.path.join(folder, "build.sh"))
        self.write("kernelgate.toml", MANIFEST)
        self.write("README.md", "Kernels under measurement.\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("base")
        self.change("docs", "README.md", "Kernels", "CUDA kernels")
        self.change("aa", "kernels/bench/suite.hpp", r'kKitVersion = "(\w+)"', r'kKitVersion = "\1 again"')
        for permille in PERMILLES:
            self.change(permille, "kernels/common/inject.hpp", "define KG_EXTRA_WORK_PERMILLE 0",
                        f"define KG_EXTRA_WORK_PERMILLE {permille}")

    def git(self, *argv):
        identity = ["-c", "user.name=figures", "-c", "user.email=figures@example.org"]
        return run(["git", "-C", self.folder, *identity, *argv]).strip()

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, name):
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", str(name))
        self.commits[name] = self.git("rev-parse", "HEAD")

    def change(self, name, path, pattern, replacement):
        """A commit on base in which one place of one file differs."""
        self.git("checkout", "--quiet", "--detach", self.commits["base"])
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            text, count = re.subn(pattern, replacement, file.read())
        if count != 1:
            raise Failed(f"{path} has {pattern} {count} times")
        self.write(path, text)
        self.commit(name)


class Figures:
    def __init__(self, given, work):
        self.given, self.work = given, work
        self.database = os.path.join(work, "local.db")
        self.repository = Repository(os.path.join(work, "repository"))
        self.deadline = time.monotonic() + 60 * given.minutes
        self.failed = 0
        self.facts = self.provenance()
        os.makedirs(given.out, exist_ok=True)

    def provenance(self):
        asked = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.limit,temperature.gpu"
        card = run(["nvidia-smi", "-i", "0", f"--query-gpu={asked}", "--format=csv,noheader"]).strip().split(", ")
        toolkit = re.search(r"release ([\d.]+)", run([shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", "--version"]))
        return {"commit": self.given.commit, "kernelgate": run([self.given.kernelgate, "--version"]).strip(),
                "device": dict(zip(asked.split(","), card)), "cuda_toolkit": toolkit.group(1) if toolkit else "",
                "processors": os.cpu_count(), "day": datetime.date.today().isoformat(),
                "command": " ".join(["tools/gpu/figures.py", "--only", self.given.only])}

    def keep(self, part, holds, data):
        self.failed += not holds
        with open(os.path.join(self.given.out, f"{part}.json"), "w", encoding="utf-8") as file:
            json.dump({"provenance": self.facts, "holds": holds, **data}, file, indent=1)
            file.write("\n")

    def say(self, holds, part, text):
        print(f"{'PASS' if holds else 'FAIL'}  {part:9} {text}", flush=True)

    def late(self):
        return time.monotonic() > self.deadline

    def judge(self, head, benchmarks):
        """The document of `kernelgate run`, with seconds held and used, and what the store has of its processes."""
        argv = [self.given.kernelgate, "run", "--repo", self.repository.folder, "--format", "json", "--force", "--db",
                self.database, "--base", self.repository.commits["base"], "--head", self.repository.commits[head]]
        argv += ["--filter", benchmarks] if benchmarks else []
        argv += ["--no-sandbox"] if self.given.no_sandbox else []
        document = json.loads(run(argv, codes=range(0, 7)))
        with sqlite3.connect(self.database) as store:
            number, held, used, wall = store.execute(
                "SELECT id, gpu_s_held, gpu_s_used, wall_s FROM runs ORDER BY id DESC LIMIT 1").fetchone()
            processes = store.execute("SELECT count(*), coalesce(sum(wall_s), 0) FROM processes WHERE run_id = ?",
                                      [number]).fetchone()
            kernels = store.execute(
                "SELECT coalesce(sum(s.sample_count * s.median_ns * json_extract(s.counters, '$.batch')), 0) / 1e9 "
                "FROM series s JOIN processes p ON p.id = s.process_id WHERE p.run_id = ?", [number]).fetchone()[0]
        document["seconds"] = {"held": held or 0, "used": used or 0, "wall": wall or 0, "processes": processes[0],
                               "in_processes": processes[1], "kernels": kernels}
        if document["conclusion"] in ("infrastructure", "build_failed"):
            raise Failed(f"{head}: {document['conclusion']}: {document['reason']} {document['summary']}")
        return document

    def build(self, permille, like=None):
        """The suites of one commit, outside kernelgate; objects of `like` that do not depend on the injection stay."""
        build = os.path.join(self.work, f"build-{permille}")
        if like:
            shutil.copytree(like, build)
            for suite in SUITES:
                os.remove(os.path.join(build, f"kernels_{suite}_bench.cpp.o"))
        commit = self.repository.commits[permille or "base"]
        self.repository.git("checkout", "--quiet", "--detach", commit)
        run(["sh", os.path.join(self.repository.folder, "build.sh"), self.repository.folder, build])
        return build

    def medians(self, build, program, benchmarks):
        """{benchmark: median time in microseconds} of one process."""
        out = os.path.join(self.work, "process.json")
        run([os.path.join(build, program), *FLAGS, f"--benchmark_filter={benchmarks}", f"--benchmark_out={out}",
             "--benchmark_out_format=json"], timeout=120)
        times = {}
        with open(out, encoding="utf-8") as file:
            text = file.read()  # empty where no benchmark of the suite is asked for
            for row in json.loads(text)["benchmarks"] if text else []:
                if row.get("run_type") != "aggregate" and "real_time" in row and not row.get("error_occurred"):
                    times.setdefault(figures.short_name(row["name"]), []).append(row["real_time"])
        return {name: statistics.median(some[WARM_UPS:]) for name, some in times.items()}

    def docs(self):
        document = self.judge("docs", "")
        holds = document["seconds"]["held"] == 0
        self.say(holds, "docs", f"{document['reason']}: {document['seconds']['held']:g} s of the GPU held")
        self.keep("docs", holds, {"document": document})

    def aa(self):
        runs = []
        while not runs or (len(runs) < self.given.runs and not self.late()):
            runs.append(self.judge("aa", AA))
            seconds = runs[-1]["seconds"]
            print(f"      aa        run {len(runs)}: {figures.verdict_counts(runs[-1:])}, {seconds}", flush=True)
        summary = figures.aa_summary(runs)
        holds = summary["holds"] and len(runs) == self.given.runs and summary["benchmarks"] >= 20
        self.say(holds, "aa", f"{summary['runs']} runs x {summary['benchmarks']} benchmarks: {summary['verdicts']}")
        last = runs[-1]["seconds"]
        start_s = statistics.median(self.start_seconds() for _ in range(5))
        shares = figures.time_shares(last["wall"], last["held"], last["in_processes"], start_s * last["processes"],
                                     last["kernels"])
        per_verdict = statistics.median(one["seconds"]["held"] / len(one["comparisons"]) for one in runs)
        self.say(per_verdict <= 1, "seconds", f"{per_verdict:.2f} s of the GPU held a verdict (median of {len(runs)} "
                 f"runs); the first run took {runs[0]['seconds']['wall']:.0f} s with its builds, the last {shares}")
        self.keep("aa", holds and per_verdict <= 1, {
            "what": "base against a commit that changes one text constant of the timing kit, none of the kernels",
            "summary": summary, "card_seconds_held_per_verdict": per_verdict, "process_start_s": start_s,
            "last_run_seconds": shares, "runs": runs})

    def start_seconds(self):
        """Of a process that makes its CUDA context and measures nothing."""
        start = time.monotonic()
        run([os.path.join(self.base_build(), "memory_bench"), "--benchmark_filter=^none$"], codes=(0, 1))
        return time.monotonic() - start

    def base_build(self):
        build = os.path.join(self.work, "build-0")
        return build if os.path.isdir(build) else self.build(0)

    def injected(self):
        documents = {}
        for permille in PERMILLES:
            if not self.late():
                documents[permille] = self.judge(permille, INJECTED)
        truths, samples = self.long_run(list(documents))
        rows = [row for permille, document in documents.items()
                for row in figures.injected_rows(document, permille, truths[permille])]
        for row in rows:
            self.say(row["judged"] not in ("missed", "false alarm"), "injected",
                     f"{row['benchmark']:32} {row['base_us'] or 0:8.2f} us  work +{row['work_permille'] / 10:g} %  "
                     f"long run {100 * (row['long_run_ratio'] - 1):+.2f} % (se {100 * row['long_run_se']:.2f}, "
                     f"n {row['processes_a_side']})  {row['verdict']} -> {row['judged']}, {row['pairs']} pairs, "
                     f"{row['gpu_s'] or 0:.1f} s")
        summary = figures.injected_summary(rows)
        holds = summary["holds"] and len(documents) == len(PERMILLES)
        self.say(holds, "injected", f"{summary}")
        self.keep("injected", holds, {"summary": summary, "rows": rows, "process_medians_us": samples,
                                      "seconds": {p: d["seconds"] for p, d in documents.items()}})

    def long_run(self, permilles):
        """{permille: {benchmark: long-run ratio}} from processes of all sides in turn, and their medians."""
        base = self.base_build()
        builds = {0: base, **{permille: self.build(permille, base) for permille in permilles}}
        samples = {side: {} for side in builds}
        for turn in range(self.given.processes):
            if self.late() and turn > 1:
                break
            sides = list(builds)[turn % len(builds):] + list(builds)[:turn % len(builds)]
            for side in sides:
                for suite in SUITES:
                    for name, median in self.medians(builds[side], f"{suite}_bench", INJECTED).items():
                        samples[side].setdefault(name, []).append(median)
        truths = {side: {name: figures.long_run_ratio(samples[0][name], times) for name, times in found.items()}
                  for side, found in samples.items() if side}
        return truths, samples

    def short(self):
        medians = {}
        for _ in range(self.given.processes // 2):
            for program, benchmarks in SHORT.items():
                for name, median in self.medians(self.base_build(), program, benchmarks).items():
                    medians.setdefault(name, []).append(median)
        rows = [{"benchmark": name, "us": statistics.median(times), "sd_percent": figures.sd_percent(times),
                 "processes": len(times), "lone": name.startswith("lone")} for name, times in medians.items()]
        for row in rows:
            row["holds"] = row["lone"] or row["sd_percent"] <= figures.SHORT_SD_MAX_PERCENT
            self.say(row["holds"], "short", f"{row['benchmark']:32} {row['us']:8.3f} us  sd between {row['processes']} "
                     f"processes {row['sd_percent']:.2f} %")
        self.keep("short", all(row["holds"] for row in rows), {"rows": rows, "process_medians_us": medians})

    def characterize(self):
        argv = [self.given.kernelgate, "characterize", "--repo", self.repository.folder, "--head",
                self.repository.commits["base"], "--n", "100", "--format", "json"]
        argv += ["--no-sandbox"] if self.given.no_sandbox else []
        document = json.loads(run(argv))
        holds = True
        for suite in document["suites"]:
            few = [one["benchmark"] for one in suite["benchmarks"] if one["samples"] < 100 or one["processes"] < 10]
            wrong = suite["checks"]["cases"] == 0 or suite["checks"]["failed"] > 0
            self.say(not few and not wrong, "characterize",
                     f"{suite['suite']}: {len(suite['benchmarks'])} benchmarks, {suite['processes']} processes, "
                     f"{suite['disturbed']} disturbed, {suite['checks']['cases']} check cases, {suite['gpu_s']:.1f} s")
            holds = holds and not few and not wrong
        self.keep("characterize", holds, document)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernelgate", required=True, help="the executable")
    parser.add_argument("--out", default=os.environ.get("OUT", os.path.join(ROOT, "build", "figures")))
    parser.add_argument("--only", default=",".join(PARTS), help="parts, by commas")
    parser.add_argument("--runs", type=int, default=5, help="A/A runs")
    parser.add_argument("--processes", type=int, default=20, help="processes a side for the long-run ratio")
    parser.add_argument("--minutes", type=float, default=9, help="no run is started after this time")
    parser.add_argument("--commit", default="", help="of this tree, for the provenance")
    parser.add_argument("--no-sandbox", action="store_true", help="kernelgate run --no-sandbox")
    given = parser.parse_args()
    given.kernelgate = os.path.abspath(given.kernelgate)
    start = time.monotonic()
    work = tempfile.mkdtemp(prefix="kernelgate-figures-")
    try:
        taken = Figures(given, work)
        for part in given.only.split(","):
            getattr(taken, part)()
    except Failed as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{time.monotonic() - start:.0f} s in all, {taken.failed} figures do not hold")
    return 1 if taken.failed else 0


if __name__ == "__main__":
    sys.exit(main())
