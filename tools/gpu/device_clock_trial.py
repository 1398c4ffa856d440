#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trials of the device's clock on a GPU: what the injected library records, what it costs, how far processes differ.

    tools/gpu/device_clock_trial.py SUBJECT LIBRARY [--own PROGRAM=BENCHMARK …] [--seconds 240] > trial.json

SUBJECT is device_clock_subject, LIBRARY libkernelgate_device_clock.so. Each process times one benchmark. A part that no
longer fits into the seconds is left out, and `left_out` names it.
"""

import argparse
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def read_file(path):
    """The file of one process: its work by (name, grid, block), and how it ended."""
    work, facts = [], {}
    with open(path, encoding="ascii") as file:
        if file.readline() != "kernelgate-device-clock 1\n":
            raise ValueError("not a file of the device's clock")
        for line in file:
            parts = line.rstrip("\n").split("\t")
            if parts[0] in ("kernel", "copy", "fill"):
                kind, grid, block, launches, in_graphs, total, stride, kept, name = parts
                work.append({"kind": kind, "name": name, "grid": grid, "block": block, "launches": int(launches),
                             "in_graphs": int(in_graphs), "total_ns": int(total), "stride": int(stride),
                             "kept": [int(x) for x in kept.split()]})
            else:
                facts[parts[0]] = parts[1]
    return work, facts


def figures(kept):
    """Mean, trimmed mean and median of what is left when the first quarter warmed up."""
    kept = kept[len(kept) // 4:]
    ordered = sorted(kept)
    cut = len(ordered) // 10
    inner = ordered[cut:len(ordered) - cut]
    return {"n": len(kept), "mean": statistics.fmean(kept), "trimmed": statistics.fmean(inner),
            "median": statistics.median(kept), "sd": statistics.pstdev(kept), "least": ordered[0], "most": ordered[-1]}


class Trial:
    def __init__(self, library, seconds):
        self.library, self.end = os.path.abspath(library), time.monotonic() + seconds
        self.left_out = []

    def fits(self, what, seconds):
        if time.monotonic() + seconds < self.end:
            return True
        self.left_out.append(what)
        return False

    def run(self, program, benchmark, injected, min_time="0.0005", repetitions=12):
        """One process: counters and iterations of its repetitions, and what the device's clock saw."""
        with tempfile.TemporaryDirectory() as folder:
            env = dict(os.environ)
            if injected:
                env.update(CUDA_INJECTION64_PATH=self.library, KERNELGATE_DEVICE_CLOCK=folder)
            out = os.path.join(folder, "out.json")
            begin = time.monotonic()
            done = subprocess.run([program, f"--benchmark_filter=^{benchmark}$", f"--benchmark_out={out}",
                                   "--benchmark_out_format=json", f"--benchmark_min_time={min_time}",
                                   f"--benchmark_repetitions={repetitions}"], env=env, capture_output=True, timeout=60,
                                  check=False)
            wall = time.monotonic() - begin
            if done.returncode != 0:
                raise RuntimeError(f"{benchmark}: exit {done.returncode}: {done.stderr.decode()[-400:]}")
            with open(out, encoding="utf-8") as file:
                rows = [r for r in json.load(file)["benchmarks"] if r.get("run_type") == "iteration"]
            host = [r["real_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[r["time_unit"]] for r in rows][3:]
            result = {"benchmark": benchmark, "injected": injected, "wall_s": wall,
                      "iterations": [int(r["iterations"]) for r in rows], "host_ns": statistics.median(host)}
            cycles = [r["cycles"] for r in rows if "cycles" in r][3:]
            if cycles:
                result["cycles"] = statistics.median(cycles)
            if injected:
                files = [f for f in os.listdir(folder) if f.endswith(".txt")]
                result["files"] = len(files)
                work, facts = read_file(os.path.join(folder, files[0]))
                result["facts"] = facts
                result["work"] = [{**{k: v for k, v in each.items() if k != "kept"}, **figures(each["kept"])}
                                  for each in work]
            return result


def killed(trial, program, number):
    """A program that a signal ends after a second."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "CUDA_INJECTION64_PATH": trial.library, "KERNELGATE_DEVICE_CLOCK": folder}
        child = subprocess.Popen([program, "--until-killed"], env=env)
        time.sleep(1.5)
        child.send_signal(number)
        code = child.wait(timeout=20)
        files = [f for f in os.listdir(folder) if f.endswith(".txt")]
        if not files:
            return {"signal": number, "code": code, "file": False}
        work, facts = read_file(os.path.join(folder, files[0]))
        return {"signal": number, "code": code, "file": True, "facts": facts,
                "work": [{k: v for k, v in each.items() if k != "kept"} for each in work]}


def spread(values):
    return 100 * statistics.stdev(math.log(v) for v in values) if len(values) > 1 else None


def price(runs):
    """What the kernel itself counted, with the injection and without."""
    sides = {flag: [r["cycles"] for r in runs if r["injected"] is flag and "cycles" in r] for flag in (True, False)}
    if min(map(len, sides.values())) < 2:
        return None
    logs = {flag: [math.log(v) for v in values] for flag, values in sides.items()}
    mean = statistics.fmean(logs[True]) - statistics.fmean(logs[False])
    error = math.sqrt(sum(statistics.variance(v) / len(v) for v in logs.values()))
    return {"percent": 100 * math.expm1(mean), "standard_error": 100 * error}


def summary(runs):
    """Of one benchmark: the spread between processes of each kernel's figures and of the host's time."""
    injected = [r for r in runs if r["injected"]]
    out = {"processes": len(injected), "price": price(runs),
           "host_sd": spread([r["host_ns"] for r in runs if not r["injected"]]),
           "host_ns": statistics.median(r["host_ns"] for r in runs)}
    kernels = {}
    for each in injected:
        for work in each["work"]:
            kernels.setdefault((work["name"], work["grid"], work["block"]), []).append(work)
    out["kernels"] = [{"name": name, "grid": grid, "block": block, "processes": len(found),
                       "launches": statistics.median(w["launches"] for w in found),
                       "mean_ns": statistics.fmean(w["mean"] for w in found),
                       **{f"sd_of_{how}": spread([w[how] for w in found]) for how in ("mean", "trimmed", "median")
                          if all(w[how] > 0 for w in found)}}
                      for (name, grid, block), found in kernels.items()]
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("subject")
    parser.add_argument("library")
    parser.add_argument("--own", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--processes", type=int, default=8)
    args = parser.parse_args()
    trial = Trial(args.library, args.seconds)
    subject = os.path.abspath(args.subject)
    report = {"recorded": {}, "killed": [], "steps": [], "spread": {}, "runs": []}
    for name in ("two_kernels", "paused", "streams", "graph"):
        report["recorded"][name] = trial.run(subject, name, True)
    for number in (signal.SIGTERM, signal.SIGKILL):
        report["killed"].append(killed(trial, subject, number))
    for cycles in range(1500, 1641, 10):
        if not trial.fits(f"spins/{cycles}", 5):
            continue
        run = trial.run(subject, f"spins/{cycles}", True, "0.01")
        spin = max((w for w in run["work"] if w["kind"] == "kernel"), key=lambda w: w["launches"])
        report["steps"].append({"asked": cycles, "cycles": run["cycles"],
                                **{k: spin[k] for k in ("n", "mean", "trimmed", "median", "sd", "least", "most")}})
    own = [tuple(each.split("=", 1)) for each in args.own]
    for program, name in [(subject, "streams_through/65536"), (subject, "streams_through/1048576"),
                          (subject, "streams_through/16777216"), (subject, "streams_through/268435456"),
                          (subject, "spins/20000"), (subject, "two_kernels"), (subject, "graph")] + own:
        if not trial.fits(name, 3 * args.processes):
            continue
        runs = [trial.run(program, name, injected, "0.002") for _ in range(args.processes)
                for injected in (True, False)]
        report["spread"][name] = summary(runs)
        report["runs"] += [{k: v for k, v in r.items() if k != "facts"} for r in runs]
    report["left_out"] = trial.left_out
    json.dump(report, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
