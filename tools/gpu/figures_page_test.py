#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/GPU_FIGURES.md and what CUDA_COOKBOOK.md takes from it against the files of baselines/h200 that they name:
figures follow from the data."""

import decimal
import json
import math
import pathlib
import re
import statistics
import unittest

import bsr_figure

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, COOKBOOK = (" ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())
                  for name in ("GPU_FIGURES.md", "CUDA_COOKBOOK.md"))


def data(name):
    return json.loads((ROOT / "baselines/h200" / name).read_text(encoding="utf-8"))


def three(value):
    """Three digits, as the page has them: 33.7, 103, 2.14."""
    return f"{value:#.3g}".rstrip(".")


def four(value):
    """Four digits, halves upwards: 49.25, 266, 5.886."""
    digits = 4 - len(str(int(value)))
    exact = decimal.Decimal(str(value)).quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_HALF_UP)
    return f"{float(exact):g}"


def change(of, beside):
    """Of TFLOP/s, in whole per cent: +4, -18."""
    return f"{100 * (of['tflops'] / beside['tflops'] - 1):+.0f}"


def products(results):
    """{"SIZE/bs:BLOCK": result} of wgmma's first configuration for each."""
    return {re.sub("^.*fp16/", "", name): one for name, one in results.items()
            if re.search(r"(32x512x32|64x512x64|128x256x64)/fp16/\d+/bs:\d+$", name)}


class PageTest(unittest.TestCase):
    def says(self, *texts):
        for text in texts:
            self.assertIn(text, PAGE)

    def test_the_whole_path(self):
        seconds = data("gpu-check-3.json")["seconds"]
        steps = {step["step"]: step for step in data("gpu-check-3.json")["steps"]}
        self.assertTrue(all(step["passed"] for step in steps.values()))
        self.says(f"({seconds:.0f} s; limit 540)", f"as expected in {steps['replay']['seconds']:.0f} s:")

    def test_unchanged_code(self):
        told = data("aa.json")
        verdicts = [one["verdict"] for run in told["runs"] for one in run["comparisons"]]
        cost = statistics.median(run["cost"]["held_s"] / len(run["comparisons"]) for run in told["runs"])
        parts = told["last_run_seconds"]
        start = parts["process_start_s"] / told["runs"][-1]["seconds"]["processes"]
        self.assertEqual(set(verdicts), {"unchanged"})
        self.says(f"**{len(verdicts)} of {len(verdicts)} unchanged**", f"**{cost:.2f} s a verdict**",
                  f"process starts {parts['process_start_s']:.1f} s ({start:.2f} s each)")

    def test_injected_slowdowns(self):
        rows = {}
        for row in data("injected.json")["rows"]:
            rows.setdefault(row["benchmark"], []).append(row)
        for name, row in rows.items():
            cells = []
            for cell in sorted(row, key=lambda one: one["work_permille"]):
                percent = 100 * (cell["long_run_ratio"] - 1)
                cells.append(f"{percent:+.2f}" if percent < 10 else f"{percent:+.1f}")
                cells[-1] += f" {cell['verdict']} ({cell['pairs']})"
                self.assertTrue(percent < 3 or cell["verdict"] == "regressed", name)
                self.assertTrue(percent > 1 or cell["verdict"] == "unchanged", name)
            base = three(statistics.median(cell["base_us"] for cell in row))
            self.says(f"| {name} | {base} | " + " | ".join(cells) + " |")

    def test_the_suites_at_hand(self):
        suites = data("characterize.json")["suites"]
        benchmarks = [one for suite in suites for one in suite["benchmarks"]]
        self.assertTrue(all(one["samples"] == 100 and one["processes"] == 10 for one in benchmarks))
        self.says(f"{len(benchmarks)} benchmarks, 100 samples in 10 processes each",
                  f"all {sum(suite['checks']['cases'] for suite in suites)} check cases passed",
                  f"{sum(suite['gpu_s'] for suite in suites):.1f} s of processes")

    def test_block_sparse_products(self):
        rates = bsr_figure.rates()
        alone = {re.sub("/density:0.125", "", name): one["tflops_median"]
                 for part in ("slow_variants", "bf16") for name, one in data("bsr-2.json")[part].items()}
        slow = ("vectorized", "registers", "atomics", "cublaslt_per_block")
        for size, block, problem in bsr_figure.products():
            tuned, _, spread = rates["tuned", problem]
            cells = [f"{rates[peer, problem][0]:.0f}" for peer in ("triton", "dense", "wmma")]
            cells.append(f"{rates['cusparse', problem][0]:.1f}")
            cells += [str(alone[f"bsr_gemm/{one}/{problem}"]) for one in slow]
            self.says(f"| {size} | {block} | {tuned:.0f} ({100 * spread:.1f} %) |", f" | {' | '.join(cells)} |")
        bf16 = {size: ", ".join(f"{alone[f'bsr_gemm/tuned/bf16/{size}/bs:{block}']:.0f}" for block in (32, 64, 128))
                for size in (4096, 8192)}
        self.says(f"bf16, one process: {bf16[8192]} (8192) and {bf16[4096]} (4096)")

    def test_the_tuner(self):
        problems = {name.removesuffix("/warm/manual_time"): one for name, one in data("tuner.json")["problems"].items()}
        for one in problems.values():
            times = one["side_by_side_us"]
            self.assertLess(times[""] / min(times.values()), 1.001)
            others = [us for name, us in times.items() if name not in ("", one["chosen"])]
            self.says(f"| `{one['chosen']}` | {four(times[''])} |")
            if others:
                self.says(f" {four(min(others))} |")
        deep, flat = ([problems[f"fp16/{size}/bs:64/density:0.125"]["side_by_side_us"][name] for size in (8192, 4096)]
                      for name in ("wgmma/64x512x64", ""))
        self.assertIn(f"{flat[0]:.1f} against {deep[0]:.1f} µs at 8192, {flat[1]:.1f} against {deep[1]:.1f} at 4096",
                      COOKBOOK)

    def test_attempts(self):
        turns, apart = data("bsr-attempts.json")["in_turn"]["results"], data("bsr-attempts.json")["one_after_the_other"]
        off = sorted(abs(100 * (one["main_again"]["us_median"] / one["main"]["us_median"] - 1))
                     for one in turns.values())
        self.assertEqual(len(off), 8)
        self.assertIn(f"within {off[5]:.1f} % for six of eight products and {off[6]:.1f} and {off[7]:.1f} % off for "
                      "two", COOKBOOK)
        stages = products(apart[1]["results"]["as it is"])
        for part, says in (("threestages", "three: {1} to {0} %"), ("twostages", "two: {1} to {0} %")):
            tried = products(apart[1]["results"][part])
            found = sorted((int(change(tried[name], stages[name])) for name in stages))
            self.says(says.format(f"{found[0]:+d}", f"{found[-1]:+d}"))
        boxes = {name: products(apart[0]["results"][name]) for name in ("as it is", "one_box")}
        for size in (4096, 8192):
            gains = [change(boxes["one_box"][f"{size}/bs:{block}"], boxes["as it is"][f"{size}/bs:{block}"])
                     for block in (32, 64, 128)]
            self.says(f"{', '.join(gains)} % at {size}")

    def test_counters(self):
        told = data("bsr-2.json")["counters"]["wgmma/fp16/8192/bs:64"]
        values = {name: one["value"] for name, one in told.items()}
        busy = values["sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed"]
        self.assertIn(f"{values['l1tex__m_xbar2l1tex_read_bytes.sum']} GB into the multiprocessors", COOKBOOK)
        self.assertIn(f"{values['lts__t_sector_hit_rate.pct']:.0f} % hits in the L2, matrix units busy {busy:.0f} %",
                      COOKBOOK)

    def test_attention(self):
        kit = {one["name"].removeprefix("attention/").removesuffix("/warm/manual_time"):
               one["flops"] / statistics.median(one["us"]) / 1e6 for one in data("attention.json")["benchmarks"]}
        for shape in ("4x16x4096x128", "32x16x512x64", "4x16x4096x64", "4x16x4096x256", "2x16x16384x128",
                      "4x64:8x4096x128"):
            self.assertIn(f"| {kit['fp16/' + shape]:.0f}, {kit['fp16/' + shape + '/causal']:.0f} |", COOKBOOK)
        last = [one for one in data("attention_attempts.json") if one["run"] == 5]
        for shape, best in (([4, 16, 16, 4096, 128], "columns=128}"),
                            ([32, 16, 16, 512, 64], "consumers=4,.columns=64}")):
            for causal in (False, True):
                of = {one["what"]: one for one in last if one["shape"] == shape and one["causal"] == causal}
                ours = next(one for what, one in of.items() if what.endswith(best) and "turns" not in what)
                self.assertIn(f"{ours['tflops']} ({ours['tflops_least']} to {ours['tflops_most']}), "
                              f"{of['cudnn']['tflops']} |", COOKBOOK)
        outcomes = [one["outcome"] for one in data("attention_sweep.json")["points"].values()]
        self.assertIn(f"of {len(outcomes)} points {outcomes.count('passed')} work", COOKBOOK)
        self.assertIn(f"and {outcomes.count('refused')} are refused by the compiler", COOKBOOK)

    def test_scaled_gemm(self):
        taken = data("scaled_gemm.json")
        medians = {one["name"].removeprefix("scaled_gemm/"): statistics.median(one["us"])
                   for one in taken["benchmarks"]}
        attempts = {(one["run"], one["name"].removeprefix("scaled_gemm/"), one["configuration"]): one
                    for one in taken["attempts"]}
        for shape, size in (("8192x8192x8192", "8192 x 8192 x 8192"), ("4096x4096x7168", "4096 x 4096 x 7168")):
            ours = attempts[4, f"fp8/{shape}/warm", "wide/256x128x2"]
            peers = [medians[f"cublaslt_{kind}/{shape}/warm/manual_time"] for kind in ("blocks", "per_tensor")]
            rates = [2 * math.prod(map(int, shape.split("x"))) / us / 1e6 for us in (ours["us"], *peers)]
            spread = f"({ours['us_least']:.0f} to {ours['us_most']:.0f}, n = 3)"
            self.assertIn(f"| {size}, warm | {ours['us']:.0f} µs {spread}, {rates[0]:,.0f}", COOKBOOK)
            self.assertIn(f"| {peers[0]:.0f} µs, {rates[1]:,.0f} | {peers[1]:.0f} µs, {rates[2]:,.0f} |", COOKBOOK)
        fenced, free = (attempts[run, "fp8/8192x8192x8192/warm", "wide/256x128x2"]["clock64"] / 1e6 for run in (1, 2))
        self.assertIn(f"cycles at 8192: {fenced:.2f} to {free:.2f} million (256 x 128)", COOKBOOK)

    @staticmethod
    def attention_rates(name):
        """Of a file's benchmarks the rate, by their short names."""
        return {one["name"].removeprefix("attention/fp16/").removesuffix("/warm/manual_time"):
                one["flops"] / statistics.median(one["us"]) / 1e6 for one in data(name)["benchmarks"]}

    def test_attention_layouts(self):
        kit = self.attention_rates("attention_layouts.json")
        peers = {one["name"].removeprefix("fp16/"): one["tflops"]
                 for one in data("attention_layouts.json")["peers"]["benchmarks"]}
        for shape, arrangement in (("4x16x16384x128", "equal"), ("32x16x16384x128", "equal"),
                                   ("16x16x16356x128", "mixed"), ("16x32x16356x64", "mixed")):
            full, causal = f"{shape}/packed:{arrangement}", f"{shape}/causal/packed:{arrangement}"
            self.assertIn(f"| {kit[full]:.0f}, {kit[causal]:.0f} | {peers[full]:.0f}, {peers[causal]:.0f} |", COOKBOOK)
        for depth, blocks in ((128, "128x128"), (128, "128x64"), (64, "128x128")):
            row = []
            for causal in ("", "/causal"):
                dense = kit[f"4x16x8192x{depth}{causal}"]
                sparse = kit[f"4x16x8192x{depth}{causal}/sparse:{blocks}:125"]
                row.append(f"{sparse:.0f}, {dense:.0f}, {sparse / dense:.2f}")
            self.assertIn(f"depth {depth} | {row[0]} | {row[1]} |", COOKBOOK)

    def test_attention_sizes(self):
        kit = self.attention_rates("attention_sizes.json")
        peers = {one["name"].removeprefix("fp16/"): one["tflops"]
                 for one in data("attention_sizes.json")["peers"]["benchmarks"]}
        self.assertEqual(len(kit), 48)
        for name in kit:
            if "causal" not in name:
                self.assertRegex(COOKBOOK, rf"{kit[name]:.0f} \(\d+\), {kit[name + '/causal']:.0f} \(\d+\); "
                                           rf"{peers[name]:.0f}, {peers[name + '/causal']:.0f} \|")

    def test_attention_cycles(self):
        told = {what: {one["name"]: statistics.median(one["clock64"]) for one in benchmarks}
                for what, benchmarks in data("attention_attempts-2.json").items() if what != "provenance"}
        for shape in ("4x16x4096x128", "32x16x512x64/causal", "32x16x16384x128/packed:equal",
                      "4x16x8192x128/sparse:128x128:125"):
            name = f"attention/fp16/{shape}/warm/manual_time"
            change = 100 * (told["next_tile_beside"][name] / told["address_kept"][name] - 1)
            self.assertIn(f"+{change:.1f} % (", COOKBOOK)

    def test_parts_of_a_product(self):
        told = data("hopper_parts-2.json")["benchmarks"]
        ranges = [100 * (max(one["us"]) - min(one["us"])) / statistics.median(one["us"]) for one in told.values()]
        rates = {kind: sorted(one["tflops_median"] for name, one in told.items() if f"wgmma_shared/{kind}/" in name)
                 for kind in ("fp16", "bf16")}
        self.says(f"{len(told)} benchmarks",
                  f"{statistics.median(ranges):.2f} % in the middle, {max(ranges):.1f} % at most",
                  f"{rates['fp16'][0]:.0f} to {rates['fp16'][-1]:.0f} (fp16)",
                  f"{rates['bf16'][0]:.0f} to {rates['bf16'][-1]:.0f} (bf16)")


if __name__ == "__main__":
    unittest.main()
