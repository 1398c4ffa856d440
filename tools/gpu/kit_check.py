#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the CUDA kernels on a machine with a GPU: kit_check.py [--out DIR] [--build DIR] [-j N] [--quick].

Checks, suites, probes, crash tests, a sweep, injected slowdowns, and the spread between processes of one short kernel,
batched and launched alone. Prints one table; full results go to DIR (default $OUT, else build/kit-check). Needs cmake,
ninja, nvcc, Google Benchmark. Exit code 0: every line passed; 1: one failed; 2: the build failed; 3: no GPU.
"""
import argparse
import concurrent.futures
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time

from kit_table import Table, percent, sd_percent, spread_percent

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SUITES = ["memory", "reduce", "softmax", "gemm"]
FLAGS = ["--benchmark_repetitions=12", "--benchmark_min_time=0.0005"]  # three of them are warm-ups
PROCESSES = 10
SWEEP = [(m, w) for m in (64, 128, 80) for w in (4, 8)]
INJECTED_PERMILLE = 30
INJECTED_ROUNDS = 2
SHORT_SD = 0.3  # per cent between processes
# Where the driver puts the operands of these moves their time, for a whole process: batches of one process agree at one
# place, processes do not. Their pairs have that spread, and the rule takes more of them.
PLACE_SD = {"copy/4MiB": 1.5, "reduce/atomic/4MiB": 2.5, "reduce/two_pass/1MiB": 1.5, "softmax/1024x512": 1.5,
            "softmax/4096x1024": 1.5}
CRASHES = {  # benchmark: what its error, or the process's end, must say
    "good": "", "too_much_shared_memory": "cudaErrorInvalidValue", "bad_configuration": "cudaErrorInvalid",
    "out_of_memory": "cudaErrorMemoryAllocation", "illegal_address": "cudaErrorIllegalAddress",
    "misaligned_address": "cudaErrorMisalignedAddress", "launch_failure": "cudaErrorLaunchFailure",
    "device_assert": "cudaErrorAssert", "good_after_sticky_error": "", "hang": "killed", "host_segfault": "signal 11",
}


def run(argv, timeout=120):
    """(exit code, stdout, stderr, seconds); the exit code is None where the time ran out."""
    start = time.monotonic()
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=timeout, check=False)
        return done.returncode, done.stdout, done.stderr, time.monotonic() - start
    except subprocess.TimeoutExpired as late:
        return None, str(late.stdout or ""), str(late.stderr or ""), time.monotonic() - start


class KitCheck:
    def __init__(self, given):
        self.out, self.build, self.jobs, self.quick = given.out, given.build, given.jobs, given.quick
        self.table = Table()
        os.makedirs(self.out, exist_ok=True)

    def keep(self, name, text):
        with open(os.path.join(self.out, name), "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, name, build="main"):
        for folder, _, files in os.walk(os.path.join(self.build, build)):
            if name in files and "CMakeFiles" not in folder:
                return os.path.join(folder, name)
        return os.path.join(self.build, build, name)

    def build_one(self, name, options, targets):
        folder = os.path.join(self.build, name)
        configure = ["cmake", "-S", os.path.join(ROOT, "kernels"), "-B", folder, "-G", "Ninja", "-DKERNELGATE_CUDA=ON",
                     *options]
        code, out, err, _ = run(configure, 300)
        if code == 0:
            code, more, err, _ = run(["cmake", "--build", folder, "-j", str(self.jobs), "--target", *targets], 540)
            out += more
        self.keep(f"build-{name}.log", out + err)
        return code == 0, (out + err)[-2000:]

    def build_all(self):
        """Everything at once: each of the variants is a few files."""
        benches = [f"{suite}_bench" for suite in SUITES]
        wanted = {"main": ([], ["all"])}
        if not self.quick:
            wanted["extra"] = ([f"-DKG_EXTRA_WORK_PERMILLE={INJECTED_PERMILLE}"], benches)
            wanted["nothing"] = (["-DKG_NO_WORK=ON"], ["memory_bench", "gemm_bench"])
        for rows, warps in SWEEP:
            wanted[f"sweep-{rows}-{warps}"] = ([f"-DBLOCK_M={rows}", f"-DNUM_WARPS={warps}", "-DSTAGES=1"],
                                               ["sweep_demo_check", "sweep_demo_bench"])
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(wanted)) as pool:
            done = {name: pool.submit(self.build_one, name, *how) for name, how in wanted.items()}
        failed = {name: future.result()[1] for name, future in done.items() if not future.result()[0]}
        self.table.row("build", "all variants", not failed, f"{time.monotonic() - start:.0f} s {' '.join(failed)}")
        for text in failed.values():
            print(text)
        return not failed

    def checks(self, sanitizer=()):
        """All at once: nothing is timed."""
        suites = SUITES + ["sweep_demo"]
        with concurrent.futures.ThreadPoolExecutor(len(suites)) as pool:
            ran = list(pool.map(lambda suite: run([*sanitizer, self.program(f"{suite}_check"), "7"], 180), suites))
        for suite, (code, out, err, seconds) in zip(suites, ran):
            kind = "memcheck" if sanitizer else "check"
            self.keep(f"{kind}-{suite}.jsonl", out + err)
            cases = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
            bad = [case["name"] + " " + case["error_class"] for case in cases if not case["passed"]]
            worst = max((case["rel_err"] or 0 for case in cases), default=math.nan)
            note = f"{len(cases)} cases, largest rel_err {worst:.2g}, {seconds:.1f} s {' '.join(bad[:3])}"
            clean = not sanitizer or "ERROR SUMMARY: 0 errors" in out + err
            self.table.row(kind, suite, code == 0 and clean and cases, note + (err[-200:] if code else ""))

    def start_suite(self, program, file, extra=(), timeout=120):
        """{benchmark: rows of the repetitions after the warm-ups}, error texts, the process's end, seconds."""
        path = os.path.join(self.out, file)
        code, out, err, seconds = run([program, *FLAGS, f"--benchmark_out={path}", "--benchmark_out_format=json",
                                       *extra], timeout)
        rows, errors = {}, {}
        try:
            with open(path, encoding="utf-8") as text:
                found = json.load(text)["benchmarks"]
        except (OSError, ValueError):
            found = []
        for row in found:
            if row.get("run_type") == "aggregate":
                continue
            if row.get("error_occurred") or row.get("skipped"):
                errors[row["name"]] = row.get("error_message") or row.get("skip_message", "")
            else:
                rows.setdefault(row["name"], []).append(row)
        return {name: some[3:] for name, some in rows.items()}, errors, (code, out + err), seconds

    def suites(self):
        for suite in SUITES + ["sweep_demo"]:
            rows, errors, (code, _), seconds = self.start_suite(self.program(f"{suite}_bench"), f"suite-{suite}.json")
            self.table.row("suite", suite, code == 0 and rows and not errors,
                           f"{len(rows)} benchmarks, {seconds:.1f} s")
            for name, error in errors.items():
                self.table.row("suite", name, False, error)
            for name, some in rows.items():
                times = [row["real_time"] for row in some]
                last = some[-1]
                self.table.row("time", name.removesuffix("/manual_time"), len(times) == 9,
                               f"{statistics.median(times):9.2f} us  spread {spread_percent(times):5.2f} %  "
                               f"{last.get('percent_of_peak', math.nan):5.1f} % of peak  batch {last['batch']:.0f}  "
                               f"rel_err {last.get('rel_err', math.nan):.1e}  {last.get('sm_mhz', 0):.0f} MHz")

    def probes(self):
        code, out, err, seconds = run([self.program("kg_probe_health")], 20)
        self.table.row("probe", "health", code == 0 and seconds < 2, f"{seconds:.2f} s {out.strip()}{err}")
        code, out, err, seconds = run([self.program("kg_probe_ceilings")], 60)
        self.keep("ceilings.json", out)
        self.table.row("probe", "ceilings", code == 0, f"{seconds:.1f} s {out.strip()}{err}")
        rows, errors, (code, _), seconds = self.start_suite(self.program("kg_probe_control"), "control.json")
        for name, some in rows.items():
            times = [row["real_time"] for row in some]
            self.table.row("probe", name, True,
                           f"{statistics.median(times):.2f} us  spread {spread_percent(times):.2f} %")
        self.table.row("probe", "control", code == 0 and len(rows) == 2, f"{seconds:.1f} s {errors or ''}")

    def short_kernels(self):
        """Medians of ten processes each, taken in turn."""
        medians, within = {}, {}
        short = [("memory_bench", "^(copy|triad)/[0-9].*/warm/"),
                 ("reduce_bench", "^reduce/(atomic|two_pass)/.*/warm/"), ("softmax_bench", "/warm/"),
                 ("gemm_bench", "^gemm/fp(16|32)/(256|512)/warm/"),
                 ("memory_lone_bench", ".")]
        for process in range(PROCESSES):
            for program, names in short:
                rows, _, _, _ = self.start_suite(self.program(program), f"short-{program}-{process}.json",
                                                 [f"--benchmark_filter={names}"])
                for name, some in rows.items():
                    repetitions = [row["real_time"] for row in some]
                    medians.setdefault(name, []).append(statistics.median(repetitions))
                    within.setdefault(name, []).append(sd_percent(repetitions))
        for name, times in medians.items():
            sd = sd_percent(times)
            lone = name.startswith("lone")
            most = PLACE_SD.get(name.split("/warm")[0], SHORT_SD)
            passed = len(times) == PROCESSES and (lone or sd <= most)
            place = "bound by place  " if most == PLACE_SD.get(name.split("/warm")[0]) else ""
            self.table.row("short", name.removesuffix("/manual_time"), passed,
                           f"{statistics.median(times):.3f} us  {place}sd between {len(times)} processes {sd:.2f} %  "
                           f"range {percent((max(times) - min(times)) / statistics.median(times)):.2f} %  "
                           f"sd between a process's batches {statistics.median(within[name]):.2f} %")

    def crashes(self):
        program = self.program("crash_bench")
        for name, wanted in CRASHES.items():
            rows, errors, (code, said), seconds = self.start_suite(
                program, f"crash-{name}.json", [f"--benchmark_filter=^crash/{name}/"], 6 if name == "hang" else 60)
            end = "killed" if code is None else f"signal {-code}" if code < 0 else next(iter(errors.values()), "")
            passed = wanted in end if wanted else bool(rows) and not errors
            self.table.row("crash", name, passed, f"{seconds:.1f} s {end or said[-100:] if not rows else 'timed'}")
            code, out, _, seconds = run([self.program("kg_probe_health")], 20)
            if code != 0 or seconds > 5:
                self.table.row("crash", f"health after {name}", False, f"{seconds:.1f} s {out.strip()}")
        rows, errors, _, _ = self.start_suite(program, "crash-sticky.json",
                                              ["--benchmark_filter=^crash/(good|illegal_address|good_after.*)/"])
        later = errors.get("crash/good_after_sticky_error/warm/manual_time", "")
        self.table.row("crash", "sticky error fails later benchmarks", "cudaErrorIllegalAddress" in later, later)

    def sanitizer(self):
        for name in ("illegal_address", "misaligned_address"):
            code, out, err, seconds = run(["compute-sanitizer", self.program("crash_bench"),
                                           f"--benchmark_filter=^crash/{name}/", "--benchmark_repetitions=1"], 60)
            self.keep(f"sanitizer-{name}.log", out + err)
            lines = [line.strip("= \n") for line in (out + err).splitlines() if "crash_bench.cu" in line]
            self.table.row("sanitizer", name, f"{name}_kernel" in out + err and lines,
                           f"{seconds:.1f} s {lines[0] if lines else err[-200:]}")

    def sweep(self):
        for rows, warps in SWEEP:
            build = f"sweep-{rows}-{warps}"
            code, out, err, _ = run([self.program("sweep_demo_check", build), "7"])
            cases = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
            said = next((case["text"] or case["error_class"] for case in cases if not case["passed"]), "") + err[-100:]
            if code == 0:
                timed, _, _, _ = self.start_suite(self.program("sweep_demo_bench", build), f"{build}.json")
                said = "  ".join(f"{statistics.median(row['real_time'] for row in some):.2f} us"
                                 for some in timed.values())
            wanted = {64: "us", 80: "Misaligned", 128: "InvalidValue"}[rows]
            self.table.row("sweep", f"BLOCK_M={rows} NUM_WARPS={warps}", wanted in said, said)

    def injected(self):
        """Ratio of times, base and slower build in turn, for each benchmark of every suite."""
        for suite in SUITES:
            logs = {}
            for turn in range(INJECTED_ROUNDS):
                for build in ("main", "extra") if turn % 2 == 0 else ("extra", "main"):
                    rows, _, _, _ = self.start_suite(self.program(f"{suite}_bench", build),
                                                     f"injected-{suite}-{build}-{turn}.json")
                    for name, some in rows.items():
                        logs.setdefault(name, {}).setdefault(build, []).append(
                            math.log(statistics.median(row["real_time"] for row in some)))
            for name, sides in logs.items():
                ratio = statistics.mean(sides.get("extra", [0])) - statistics.mean(sides.get("main", [0]))
                self.table.row("injected", name.removesuffix("/manual_time"), len(sides) == 2,
                               f"{INJECTED_PERMILLE / 10:.1f} % more work: {percent(math.expm1(ratio)):+.2f} % time")
        for suite, names in (("memory", "^copy/1GiB"), ("gemm", "^gemm/fp16/4096")):
            rows, _, _, _ = self.start_suite(self.program(f"{suite}_bench", "nothing"), f"nothing-{suite}.json",
                                             [f"--benchmark_filter={names}"])
            for name, some in rows.items():
                peak = some[-1].get("percent_of_peak", 0)
                self.table.row("no work", name.removesuffix("/manual_time"), peak > 105, f"{peak:.0f} % of peak")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.environ.get("OUT", os.path.join(ROOT, "build", "kit-check")))
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "kit"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="leave out crash tests and injected slowdowns")
    given = parser.parse_args()
    if not shutil.which("nvidia-smi"):
        print("kit_check.py: there is no nvidia-smi here, so no GPU", file=sys.stderr)
        return 3
    start = time.monotonic()
    kit = KitCheck(given)
    if not kit.build_all():
        print(kit.table.text())
        return 2
    code, out, err, _ = run([kit.program("kg_probe_health")], 20)
    if code == 3:
        print(out + err)
        return 3
    kit.checks()
    kit.suites()
    kit.probes()
    kit.short_kernels()
    kit.sanitizer()
    kit.sweep()
    if not given.quick:
        kit.crashes()
        kit.injected()
    kit.checks(("compute-sanitizer", "--tool", "memcheck"))
    text = kit.table.text() + f"\n{time.monotonic() - start:.0f} s in all"
    kit.keep("table.txt", text)
    print(text)
    return 1 if kit.table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
