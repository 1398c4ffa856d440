# SPDX-License-Identifier: Apache-2.0
"""The steps of gpu-check, in order. Each gets the workshop and a dictionary for its figures, and returns one line."""

import pathlib
import re
import shutil
import subprocess
import sys
from collections import namedtuple

from .table import Failure
from .workshop import LEFT

# Steps of one track run one after another, tracks beside each other: their builds overlap, and kernelgate's own lock
# gives the GPU to one of them at a time.
Step = namedtuple("Step", "name says run always track", defaults=[False, None])

CRASHES = {  # benchmark: verdict through the whole path, and what its reason must say
    "too_much_shared_memory": ("crashed", "invalid argument"),
    "bad_configuration": ("crashed", "invalid"),
    "out_of_memory": ("crashed", "out of memory"),
    "illegal_address": ("crashed", "illegal"),
    "misaligned_address": ("crashed", "misaligned"),
    "launch_failure": ("crashed", "launch failure"),
    "device_assert": ("crashed", "assert"),
    "hang": ("timed_out", ""),
    "host_segfault": ("crashed", "signal 11"),
}
NAMED_BY_SANITIZER = ("illegal_address", "misaligned_address")  # with kernel, file and line
CRASH_MANIFEST = """schema = 1
[build]
build = "sh {source}/build.sh {source} {build}"
[[suite]]
name = "crash"
run = "{build}/crash_bench"
timeout_s = 8
requires = { gpu = true }
[policy]
max_pairs = 2
"""
CRASH_BUILD = """set -eu
cd "$2"
jobs=
for file in "$1"/kernels/crash/crash_bench.cu "$1"/kernels/bench/*.cpp "$1"/kernels/bench/*.cu; do
  nvcc -std=c++20 -O3 -lineinfo -arch=native -I "$1" -c -o "$(basename "$file").o" "$file" &
  jobs="$jobs $!"
done
for job in $jobs; do wait "$job"; done
nvcc -arch=native -o crash_bench ./*.o -lbenchmark -lpthread
"""


def card(shop, figures):
    figures.update(shop.facts()["card"])
    return f"{figures['name']}, driver {figures['driver_version']}, compute {figures['compute_cap']}"


def program(shop, figures):
    says = shop.must("version", [shop.program(), "--version"], 30).out.strip().splitlines()[0]
    figures["program"] = says
    return says


def build(shop, figures):
    folder = shop.build / "main"
    shop.must("configure", ["cmake", "-S", "kernels", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DKERNELGATE_CUDA=ON", f"-DCMAKE_CUDA_ARCHITECTURES={shop.options.arch}"], 120)
    shop.must("build", ["cmake", "--build", folder, "-j", shop.jobs], 400)
    shop.install(folder)
    figures["cores"] = shop.jobs
    return f"all CUDA targets compile for sm_{shop.options.arch}"


def lines_of(shop, figures, what, argv, timeout):
    """Starts a script that prints PASS or FAIL a line; how many pass."""
    ran = shop.start([sys.executable, *argv], timeout, env={"OUT": str(shop.out / what)})
    shop.keep(what, ran)
    failed = [line.removeprefix("FAIL").strip() for line in ran.out.splitlines() if line.startswith("FAIL")]
    passed = sum(line.startswith("PASS") for line in ran.out.splitlines())
    figures.update(passed=passed, failed=failed)
    if failed:
        raise Failure(f"{len(failed)} of {passed + len(failed)} lines fail: {'; '.join(failed)[:LEFT]}")
    if ran.code != 0 or passed == 0:
        raise Failure(f"{what} ends with {ran.code}: {ran.end}")
    return passed


def kit(shop, figures):
    script = shop.source / "tools/gpu/kit_check.py"
    passed = lines_of(shop, figures, "kit", [script, "--out", shop.out / "kit", "--build", shop.build, "-j", shop.jobs,
                                         "--quick"], 400)
    return f"{passed} lines: kernels, checks, memcheck, probes, crash tests, sweep points"


def evidence(shop, figures):
    passed = lines_of(shop, figures, "evidence", [shop.source / "tools/gpu/code_check.py", shop.program()], 240)
    return f"{passed} lines: device code, counters, roofline, a sweep, characterisation, a profile on demand"


def sharing(shop, figures):
    busy = [shop.build / "main/memory/memory_bench", "--benchmark_filter=^copy/1GiB", "--benchmark_min_time=0.001",
            "--benchmark_repetitions=1000000"]
    lines_of(shop, figures, "sharing", [shop.source / "tools/gpu/card_check.py", shop.program(), *busy], 240)
    return "a foreign process is waited for, two runs take turns, a new epoch times the kept binaries again"


def doctor(shop, figures):
    found = shop.json_of("doctor", [shop.program(), "doctor", "--format", "json"], 180,
                         codes=(0, 1, 3, 4))
    lines = {line["topic"]: line for line in found["machine"]}
    figures.update({topic: f"{line['grade']}: {line['text']}" for topic, line in lines.items()})
    wanted = ["sandbox", "CUDA in the sandbox", "ncu in the sandbox", "sanitizer in sandbox"]
    bad = [f"{topic}: {lines.get(topic, {}).get('text', 'no such line')}" for topic in wanted
           if lines.get(topic, {}).get("grade") != "ok"]
    if bad:
        raise Failure("; ".join(bad))
    return "sandbox, CUDA in the sandbox, ncu and compute-sanitizer work"


def crash_repository(shop):
    folder = shop.out / "crash-repository"
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("kernels/bench", "kernels/crash", "kernels/common"):
        shutil.copytree(shop.source / part, folder / part)
    for test in folder.rglob("*_test.cpp"):
        test.unlink()
    (folder / "kernelgate.toml").write_text(CRASH_MANIFEST, encoding="utf-8")
    (folder / "build.sh").write_text(CRASH_BUILD, encoding="utf-8")
    commit_all(folder, "Crash in every way")
    return folder


def commit_all(folder, message):
    def git(*words):
        subprocess.run(["git", "-C", str(folder), "-c", "user.name=gpu-check", "-c", "user.email=gpu-check@example.org",
                        *words], check=True, capture_output=True)
    if not (pathlib.Path(folder) / ".git").exists():
        git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", message)


def crashes(shop, figures):
    folder = crash_repository(shop)
    judged = shop.json_of("crashes", [shop.program(), "run", "--repo", folder, "--format", "json"], 400, codes=(1,))
    seen = {}
    for comparison in judged["comparisons"]:
        name = re.sub(r"^crash/([a-z_]+).*$", r"\1", comparison["benchmark"])
        seen[name] = (comparison["verdict"], comparison["reason"])
    figures["verdicts"] = {name: verdict for name, (verdict, _) in seen.items()}
    wrong = []
    for name, (verdict, words) in CRASHES.items():
        was, reason = seen.get(name, ("absent", ""))
        if was != verdict or words not in reason.lower():
            wrong.append(f"{name}: {was}: {reason[:120]}")
        elif name in NAMED_BY_SANITIZER and not re.search(rf"{name}_kernel.*crash_bench\.cu:\d+", reason):
            wrong.append(f"{name}: no source line: {reason[:160]}")
    for name in ("good", "good_after_sticky_error"):
        if seen.get(name, ("absent",))[0] != "added":
            wrong.append(f"{name}: {seen.get(name, ('absent',))[0]}")
    if wrong:
        raise Failure("; ".join(wrong))
    return f"{len(CRASHES)} ways of failing have their verdicts, {len(NAMED_BY_SANITIZER)} a source line; two are timed"


def replay(shop, figures):
    folder = shop.out / "replay"
    shutil.rmtree(folder, ignore_errors=True)
    told = shop.json_of("replay", [shop.program(), "demo", "--replay", "softmax", "--exit", "--work", folder,
                                   "--format", "json"], 400, codes=(0, 1))
    for attempt in told["attempts"]:
        figures[f"{attempt['number']} {attempt['expected']}"] = {
            "outcome": attempt["outcome"], "ratio": attempt["ratio"], "pairs": attempt["pairs"],
            "cost_s": attempt["cost_s"], "measuring_s": attempt["measuring_s"], "error": (attempt["error"] or "")[:200]}
    wrong = [f"{attempt['number']} {attempt['title']}: {attempt['outcome']}, not {attempt['expected']}"
             for attempt in told["attempts"] if not attempt["as_expected"]]
    if wrong:
        raise Failure("; ".join(wrong))
    spent = sum(attempt["measuring_s"] or 0 for attempt in told["attempts"])
    return f"{len(told['attempts'])} commits through hook, server and runner as expected, {spent:.0f} s measuring"


def calibrate(shop, figures):
    folder = shop.out / "replay-repository"
    shutil.rmtree(folder, ignore_errors=True)
    shop.must("make-repository", [shop.program(), "demo", "--replay", "softmax", "--make-repository", folder], 60)
    told = shop.json_of("calibrate", [shop.program(), "doctor", "--calibrate", "--repo", folder, "--pairs", "16",
                                      "--inject", "0.03", "--format", "json"], 300)
    figures.update({key: told[key] for key in ("false_alarms", "caught", "pairs", "rule_version", "benchmarks")})
    alarms = told["false_alarms"]
    if alarms is None or alarms["trials"] == 0 or alarms["hits"] > 0:
        raise Failure(f"false alarms: {alarms}")
    missed = [one["benchmark"] for one in told["benchmarks"]
              if one["ratio_low"] > 1 + one["catch_limit"] and one["trials"] > one["regressed"] + one["suspected"]]
    if missed:
        raise Failure(f"slower than the catch limit, not caught: {', '.join(missed)}")
    caught = ", ".join(f"+{100 * one['injected']:g} %: {one['hits']} of {one['trials']}" for one in told["caught"])
    return f"false alarms {alarms['hits']} of {alarms['trials']}; caught {caught}"


ALL = [
    Step("card", "a GPU, its driver and compute capability", card, always=True),
    Step("program", "the executable starts here", program, always=True),
    Step("build", "all CUDA targets compile", build, always=True),
    Step("kit", "kernels, checks, probes, crash kernels and sweep points by themselves", kit),
    Step("doctor", "sandbox, CUDA, ncu and compute-sanitizer work together", doctor),
    Step("replay", "a small CUDA history through hook, server and runner", replay, track="replay"),
    Step("crashes", "each way of crashing through the whole path, with its own verdict", crashes, track="evidence"),
    Step("evidence", "why a benchmark is slower, on demand and by itself", evidence, track="evidence"),
    Step("calibrate", "A/A and injected delays through the whole path", calibrate),
    Step("sharing", "who may use the GPU, and the start of an epoch", sharing),
]
