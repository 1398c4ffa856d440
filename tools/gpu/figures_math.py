# SPDX-License-Identifier: Apache-2.0
"""What figures.py derives from its measurements. Pure."""
import collections
import math
import statistics

TRUE_CATCH = 0.03   # a slowdown proven this large in the long run must be caught
TRUE_HARMLESS = 0.01  # and one this small must fail nothing
UNDECIDED_MAX = 0.02
SHORT_SD_MAX_PERCENT = 0.3


def short_name(benchmark):
    return benchmark.removesuffix("/manual_time")


def long_run_ratio(base, head):
    """Of the medians of processes: {ratio, se, n_base, n_head}; se of the ratio's logarithm."""
    logs = [[math.log(value) for value in side] for side in (base, head)]
    shift = statistics.mean(logs[1]) - statistics.mean(logs[0])
    se = math.sqrt(sum(statistics.variance(side) / len(side) for side in logs if len(side) > 1))
    return {"ratio": math.exp(shift), "se": se, "n_base": len(base), "n_head": len(head)}


def verdict_counts(runs):
    """{verdict: number} over the comparisons of several runs' documents."""
    return dict(collections.Counter(c["verdict"] for run in runs for c in run["comparisons"]))


def aa_summary(runs):
    counts = verdict_counts(runs)
    total = sum(counts.values())
    regressed, undecided = counts.get("regressed", 0), counts.get("undecided", 0)
    benchmarks = {(c["suite"], c["benchmark"]) for run in runs for c in run["comparisons"]}
    share = undecided / total if total else math.nan
    return {"runs": len(runs), "benchmarks": len(benchmarks), "comparisons": total, "verdicts": counts,
            "undecided_share": share, "holds": total > 0 and regressed == 0 and share <= UNDECIDED_MAX}


def judged(truth, verdict):
    """What a verdict is worth beside the long-run ratio: caught, missed, false alarm or fine."""
    slower = truth["ratio"] - 1
    if slower >= TRUE_CATCH:
        return "caught" if verdict == "regressed" else "missed"
    if slower <= TRUE_HARMLESS:
        return "false alarm" if verdict == "regressed" else "fine"
    return "either"  # between the two any verdict is right


def injected_rows(run, permille, truths):
    """A row for each benchmark of the run whose long-run ratio is known."""
    rows = []
    for c in run["comparisons"]:
        name = short_name(c["benchmark"])
        if name not in truths:
            continue
        truth = truths[name]
        rows.append({"benchmark": name, "work_permille": permille, "long_run_ratio": truth["ratio"],
                     "long_run_se": truth["se"], "processes_a_side": truth["n_head"], "verdict": c["verdict"],
                     "ratio": c["ratio"], "pairs": c["pairs"], "gpu_s": c["gpu_s"],
                     "base_us": c["base_median_ns"] / 1e3 if c["base_median_ns"] else None,
                     "judged": judged(truth, c["verdict"])})
    return rows


def injected_summary(rows):
    counts = collections.Counter(row["judged"] for row in rows)
    kernels = {row["benchmark"] for row in rows if row["base_us"] and 2 <= row["base_us"] <= 1000}
    return {"rows": len(rows), "kernels_2us_to_1ms": len(kernels), "judged": dict(counts),
            "holds": len(kernels) >= 6 and not counts["missed"] and not counts["false alarm"] and counts["caught"] > 0}


def sd_percent(values):
    return 100 * statistics.stdev(values) / statistics.mean(values)


def time_shares(wall_s, held_s, process_s, start_s, kernel_s):
    """Where a run's wall time goes. `start_s` is what its processes took before their first kernel."""
    return {"wall_s": wall_s, "card_held_s": held_s, "kernels_s": kernel_s, "process_start_s": start_s,
            "rest_of_processes_s": process_s - kernel_s - start_s, "held_outside_processes_s": held_s - process_s,
            "not_held_s": wall_s - held_s}
