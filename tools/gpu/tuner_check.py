#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the tuner on a machine with a GPU: tuner_check.py [--out DIR] [--build DIR] [-j N] [--rust-test FILE].

Builds the block-sparse products and their library, checks the variant `tuned`, and compares it with every candidate
side by side: it may be 2 % slower than the best one, no more. Then the cache file (a second start measures nothing, a
corrupt file is a warning), and the bindings. Prints PASS or FAIL a line; full results go to DIR (default $OUT, else
build/tuner-check). Needs cmake, ninja, nvcc, Google Benchmark; where rustc is missing, FILE is the test program that
another machine built: build/cuda/kernels/bsr_gemm/bindings/kernelgate_bsr_rust_test.
Exit code 0: every line passed; 1: one failed; 2: the build failed; 3: no GPU.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

from kit_table import Table, percent

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TARGETS = ["bsr_gemm_cuda_bench", "bsr_gemm_cuda_check", "kernelgate_bsr", "kernelgate_bsr_no_device_test"]
SLOWER_MAX = 0.02
LEADERS_WITHIN = 0.08  # of the best in the first look: these are timed side by side
LEADERS_MAX = 3
ROUNDS = 4             # there and back, twice
KEPT = 6               # repetitions of a process after 3 to warm up
NAME = re.compile(r"bsr_gemm/([^/]+)/(fp16/.*)")


def configuration_of(variant):
    """What the tuner calls what the suite calls VARIANT; None for those that choose."""
    if variant in ("tuned", "wgmma"):
        return None
    return re.sub(r"^wgmma-", "wgmma/", variant)


def by_problem(rows):
    """{problem: {configuration: microseconds}} of the candidates among Google Benchmark's rows."""
    found = {}
    for row in rows:
        match = NAME.fullmatch(row["run_name"])
        configuration = configuration_of(match[1]) if match else None
        if configuration and not row.get("error_occurred") and row.get("run_type") == "iteration":
            found.setdefault(match[2], {}).setdefault(configuration, []).append(row["real_time"])
    return {problem: {name: statistics.median(times) for name, times in some.items()}
            for problem, some in found.items()}


def leaders_of(times):
    """The fastest few, fastest first."""
    ordered = sorted(times, key=times.get)
    return [name for name in ordered if times[name] <= (1 + LEADERS_WITHIN) * times[ordered[0]]][:LEADERS_MAX]


def chosen_of(rows):
    """{problem: configuration} of the rows of `tuned`."""
    found = {}
    for row in rows:
        match = NAME.fullmatch(row["run_name"])
        label = re.search(r"(?:^| )configuration=(\S+)", row.get("label", ""))
        if match and match[1] == "tuned" and label:
            found[match[2]] = label[1]
    return found


class TunerCheck:
    def __init__(self, given):
        self.out, self.build, self.jobs, self.rust_test = given.out, given.build, given.jobs, given.rust_test
        self.table = Table()
        os.makedirs(self.out, exist_ok=True)
        self.cache = os.path.join(self.out, "cache.jsonl")
        for left in (self.cache, self.cache + ".lock"):
            if os.path.exists(left):
                os.remove(left)

    def program(self, name):
        for folder, _, files in os.walk(self.build):
            if name in files and "CMakeFiles" not in folder:
                return os.path.join(folder, name)
        return os.path.join(self.build, name)

    def run(self, argv, timeout=180, **environment):
        start = time.monotonic()
        try:
            done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=timeout, check=False,
                                  env={**os.environ, "KG_TUNER_CACHE": self.cache, **environment})
            return done.returncode, done.stdout, done.stderr, time.monotonic() - start
        except subprocess.TimeoutExpired:
            return None, "", f"it ran past {timeout} s", time.monotonic() - start

    def keep(self, name, text):
        with open(os.path.join(self.out, name), "w", encoding="utf-8") as file:
            file.write(text)

    def build_all(self):
        configure = ["cmake", "-S", os.path.join(ROOT, "kernels"), "-B", self.build, "-G", "Ninja",
                     "-DKERNELGATE_CUDA=ON"]
        code, out, err, seconds = self.run(configure, 120)
        if code == 0:
            code, more, err, built = self.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target",
                                               *TARGETS], 500)
            out, seconds = out + more, seconds + built
            if code == 0 and shutil.which("rustc"):
                code, more, err, built = self.run(["cmake", "--build", self.build, "--target", "kernelgate_bsr_rust"])
                out, seconds = out + more, seconds + built
                self.rust_test = self.rust_test or self.program("kernelgate_bsr_rust_test")
        self.keep("build.log", out + err)
        self.table.row("build", "suite, check, library", code == 0, f"{seconds:.0f} s")
        if code != 0:
            print((out + err)[-3000:])
        return code == 0

    def suite(self, file, names, repetitions=1, **environment):
        """(rows, stderr, seconds) of one process of the suite; rows are empty where it failed."""
        path = os.path.join(self.out, file)
        code, out, err, seconds = self.run(
            [self.program("bsr_gemm_cuda_bench"), f"--benchmark_filter={names}", "--benchmark_min_time=0.0005",
             f"--benchmark_repetitions={repetitions}", f"--benchmark_out={path}", "--benchmark_out_format=json"],
            **environment)
        if code != 0:
            return [], out[-500:] + err, seconds
        with open(path, encoding="utf-8") as text:
            rows = [row for row in json.load(text)["benchmarks"] if row.get("run_type") == "iteration"]
        errors = [f"{row['run_name']}: {row['error_message']}" for row in rows if row.get("error_occurred")]
        return rows, err + "\n".join(errors), seconds

    def checks(self):
        for name, arguments in (("all shapes", []), ("fuzz", ["--fuzz", "40"])):
            code, out, err, seconds = self.run([self.program("bsr_gemm_cuda_check"), *arguments, "--variant", "tuned"],
                                            KG_TUNER_CACHE="off")
            cases = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
            bad = [f"{case['name']} {case['error_class']} {case['text']}" for case in cases if not case["passed"]]
            self.keep(f"check-{name.replace(' ', '-')}.jsonl", out + err)
            self.table.row("check", name, code == 0 and cases,
                           f"{len(cases)} cases, {seconds:.1f} s {err.strip()[-120:]} {' '.join(bad[:2])}")

    def starts(self):
        """What is chosen at the first start; the second must remember it and measure nothing."""
        choices = []
        for start in ("first", "second"):
            rows, said, seconds = self.suite(f"start-{start}.json", "^bsr_gemm/tuned/fp16/", KG_TUNER_VERBOSE="1")
            self.keep(f"decisions-{start}.txt", said)
            choices.append(chosen_of(rows))
            failed = [row["run_name"] for row in rows if row.get("error_occurred")]
            measured, remembered = said.count("  chosen\n"), said.count(", remembered: ")
            wanted = (len(rows), 0) if start == "first" else (0, len(rows))
            self.table.row("start", start, rows and not failed and (measured, remembered) == wanted,
                           f"{measured} measured, {remembered} remembered of {len(rows)}, {seconds:.1f} s "
                           f"{'' if rows and not failed else said[-300:]}")
        self.table.row("start", "same choices", choices[0] and choices[0] == choices[1], f"{len(choices[0])} problems")
        with open(os.path.join(self.out, "decisions-first.txt"), encoding="utf-8") as file:
            print(file.read())
        return choices[0]

    def corrupt(self):
        """A line cut short and one of another GPU: one warning, and the benchmark runs."""
        with open(self.cache, encoding="utf-8") as file:
            line = file.readline().strip()
        spoiled = os.path.join(self.out, "spoiled.jsonl")
        with open(spoiled, "w", encoding="utf-8") as file:
            file.write(line[:len(line) // 2] + "\n" + line.replace("device=", "device=Other_", 1) + "\n")
        rows, said, _ = self.suite("corrupt.json", "^bsr_gemm/tuned/fp16/1024/", KG_TUNER_CACHE=spoiled)
        warnings = re.findall(r"tuner: .*", said)  # not at a line's begin: Google Benchmark has words without an end
        passed = len(rows) == 1 and len(chosen_of(rows)) == 1 and len(warnings) == 1 and "2 of 2 lines" in warnings[0]
        self.table.row("cache", "corrupt and foreign lines", passed, " ".join(warnings) or said[-300:])
        _, said, _ = self.suite("fixed.json", "^bsr_gemm/tuned/fp16/1024/", KG_TUNER_CACHE=spoiled)
        self.table.row("cache", "corrupt line gone, foreign kept", said.count("1 of 2 lines") == 1, said.strip()[-200:])

    def side_by_side(self, problem, configurations):
        """{configuration or '': median microseconds}: '' is what the tuner takes by itself."""
        name = f"bsr_gemm/tuned/{problem}"
        times = {}
        for turn in range(ROUNDS):
            order = configurations if turn % 2 == 0 else configurations[::-1]
            for configuration in order:
                pin = {"KG_CONFIGURATIONS": f"{name}={configuration}"} if configuration else {}
                rows, said, _ = self.suite("side.json", f"^{re.escape(name)}$", 3 + KEPT, **pin)
                kept = [row["real_time"] for row in rows[3:] if not row.get("error_occurred")]
                if len(kept) != KEPT:
                    self.table.row("tuned", problem, False, f"{configuration}: {said[-300:]}")
                    return {}
                times.setdefault(configuration, []).append(statistics.median(kept))
        return {configuration: statistics.median(some) for configuration, some in times.items()}

    def against_candidates(self, chosen):
        rows, said, seconds = self.suite("candidates.json", "^bsr_gemm/.*/fp16/")
        looked = by_problem(rows)
        errors = [row["run_name"] + ": " + row["error_message"] for row in rows if row.get("error_occurred")]
        self.table.row("suite", "every candidate", rows and not errors,
                       f"{len(rows)} benchmarks, {seconds:.1f} s {'; '.join(errors[:2]) if rows else said[-300:]}")
        figures = {}
        for problem, choice in chosen.items():
            leaders = leaders_of(looked.get(problem, {}))
            others = [leader for leader in leaders if leader != choice] or leaders_of(looked.get(problem, {}))[:1]
            times = self.side_by_side(problem, ["", *others])
            if not times:
                continue
            best = min(times, key=times.get)
            ratio = times[""] / times[best]
            figures[problem] = {"chosen": choice, "side_by_side_us": times, "looked_us": looked.get(problem, {})}
            self.table.row("tuned", problem.removesuffix("/warm/manual_time"), ratio <= 1 + SLOWER_MAX,
                           f"{choice:18} {times['']:9.2f} us  best of {len(others)} beside it: "
                           f"{best or choice} {times[best]:.2f} us  {percent(ratio - 1):+.2f} %")
        self.keep("figures.json", json.dumps(figures, indent=1))

    def bindings(self):
        library = self.program("libkernelgate_bsr.so")
        folder = os.path.join(ROOT, "kernels", "bsr_gemm", "bindings", "python")
        python = {"KERNELGATE_BSR_LIBRARY": library, "PYTHONDONTWRITEBYTECODE": "1"}
        native = {"LD_LIBRARY_PATH": os.path.dirname(library) + ":" + os.environ.get("LD_LIBRARY_PATH", "")}
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        tests = [("Python multiplies", [sys.executable, os.path.join(folder, "multiply_test.py")], python),
                 ("Python without a GPU", [sys.executable, os.path.join(folder, "no_device_test.py")],
                  {**python, **hidden}),
                 ("C without a GPU", [self.program("kernelgate_bsr_no_device_test")], hidden)]
        if self.rust_test:
            tests += [("Rust multiplies", [self.rust_test, "with_a_card"], native),
                      ("Rust without a GPU", [self.rust_test, "without_a_card"], {**native, **hidden})]
        else:
            print("left out: Rust (no rustc here, no --rust-test)")
        for name, argv, environment in tests:
            code, out, err, seconds = self.run(argv, 60, **environment)
            self.table.row("binding", name, code == 0, f"{seconds:.1f} s {'' if code == 0 else (out + err)[-400:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.environ.get("OUT", os.path.join(ROOT, "build", "tuner-check")))
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "tuner"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--rust-test")
    given = parser.parse_args()
    if not shutil.which("nvidia-smi"):
        print("tuner_check.py: there is no nvidia-smi here, so no GPU", file=sys.stderr)
        return 3
    check = TunerCheck(given)
    start = time.monotonic()
    if not check.build_all():
        print(check.table.text())
        return 2
    code, _, err, _ = check.run([check.program("bsr_gemm_cuda_bench"), "--benchmark_filter=none"], 60)
    if code == 3:
        print(err.strip())
        return 3
    check.checks()
    check.bindings()
    chosen = check.starts()
    if chosen:
        check.corrupt()
        check.against_candidates(chosen)
    text = check.table.text() + f"\n{time.monotonic() - start:.0f} s in all"
    check.keep("table.txt", text)
    print(text)
    return 1 if check.table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
