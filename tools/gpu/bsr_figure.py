#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table and plot in docs/GPU_FIGURES.md of the block-sparse products, from baselines/h200: bsr_figure.py [--check].

Times are of suites.jsonl (`kernelgate export --baselines`), the work of each product of bsr.json, which has the same
patterns, Triton's rates of triton.json. Writes the table between the marks in docs/GPU_FIGURES.md and
docs/figures/bsr_gemm.svg; with --check it writes nothing and exits with 1 where they differ from the data."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA, PAGE, PLOT = ROOT / "baselines/h200", ROOT / "docs/GPU_FIGURES.md", ROOT / "docs/figures/bsr_gemm.svg"
BEGIN, END = "<!-- tools/gpu/bsr_figure.py: begin -->\n", "<!-- end -->\n"
SIZES, BLOCKS = (4096, 8192), (32, 64, 128)
SERIES = (("tuned", "this project, tuned"), ("wmma", "wmma"), ("triton", "Triton"), ("dense", "dense, cuBLASLt"),
          ("cusparse", "cuSPARSE"))
NAME = re.compile(r"bsr_gemm/(\w+)/(fp16/\d+/bs:\d+)/density:0\.125")


def rates(data=DATA):
    """{(series, "fp16/SIZE/bs:BLOCK"): (TFLOP/s, processes, spread between them or None)}."""
    work = {}
    for name, one in json.loads((data / "bsr.json").read_text(encoding="utf-8"))["suite"].items():
        match = re.search(r"fp16/\d+/bs:\d+", name)
        if match:
            work[match[0]] = one["flops"]
    found = {}
    for line in (data / "suites.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        one = json.loads(line)
        match = NAME.match(one["benchmark"])
        if match:
            found[match[1], match[2]] = (work[match[2]] / one["median_ns"] / 1e3, one["processes"], one["spread"])
    for problem, one in json.loads((data / "triton.json").read_text(encoding="utf-8"))["products"].items():
        found["triton", problem] = (one["tflops_median"], 1, None)
    return found


def products():
    return [(size, block, f"fp16/{size}/bs:{block}") for size in SIZES for block in BLOCKS]


def number(rate):
    return f"{rate:.0f}" if rate >= 100 else f"{rate:.1f}"


def table(found):
    rows = ["| size | blocks of | " + " | ".join(title for _, title in SERIES) + " |",
            "|---|---|" + "--:|" * len(SERIES)]
    for size, block, problem in products():
        cells = [number(found[series, problem][0]) for series, _ in SERIES]
        rows.append(f"| {size} | {block} | **{cells[0]}** | " + " | ".join(cells[1:]) + " |")
    spread = max(found["tuned", problem][2] for _, _, problem in products())
    processes = min(found["tuned", problem][1] for _, _, problem in products())
    rows += ["", f"Medians of {processes} processes; those of the first column lie within {100 * spread:.1f} % of each "
             "other. Triton: one process."]
    return "\n".join(rows) + "\n"


STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; } .dim { fill: #57606a; } line { stroke: #d0d7de; }
.tuned { fill: #0969da; } .wmma { fill: #54aeff; } .triton { fill: #bf8700; } .dense { fill: #8c959f; }
.cusparse { fill: #57606a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .dim { fill: #9198a1; } line { stroke: #3d444d; }
.tuned { fill: #4493f8; } .wmma { fill: #1f6feb; } .triton { fill: #d29922; } .dense { fill: #9198a1; }
.cusparse { fill: #656c76; } }
</style>"""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, BAR, GAP = 860, 340, 44, 60, 44, 20, 34
CAPTION = "TFLOP/s on the blocks that are there; fp16, density 12.5 %, one H200"


def text(x, y, said, kind="", anchor="start"):
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{said}</text>'


def rectangle(kind, x, y, width, height):
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width}" height="{height:.1f}"/>'


def group(found, problem, x, floor, scale):
    parts = []
    for i, (series, _) in enumerate(SERIES):
        rate = found[series, problem][0]
        parts.append(rectangle(series, x + i * BAR, floor - rate * scale, BAR - 3, rate * scale))
        if i == 0:
            parts.append(text(x + BAR / 2, floor - rate * scale - 5, number(rate), anchor="middle"))
    return parts


def plot(found):
    top = 100 * (int(max(rate for rate, _, _ in found.values()) / 100) + 1)
    floor = HEIGHT - BOTTOM
    scale = (floor - TOP) / top
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}" role="img">', f"<title>{CAPTION}</title>", STYLE]
    for value in range(0, top + 1, 100):
        y = floor - value * scale
        parts += [f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}"/>',
                  text(LEFT - 6, y + 4, str(value), "dim", "end")]
    x = LEFT
    for series, title in SERIES:
        parts += [rectangle(series, x, 10, 12, 12), text(x + 17, 20, title)]
        x += 34 + 7 * len(title)
    parts.append(text(LEFT, 42, CAPTION, "dim"))
    x = LEFT + GAP / 2
    for size, block, problem in products():
        middle = x + len(SERIES) * BAR / 2
        parts += [*group(found, problem, x, floor, scale),
                  text(middle, floor + 16, f"blocks of {block}", anchor="middle"),
                  text(middle, floor + 32, f"{size} x {size} x {size}", "dim", "middle")]
        x += len(SERIES) * BAR + GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    found = rates()
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    wanted = {PAGE: before + BEGIN + table(found) + END + after, PLOT: plot(found)}
    if "--check" in sys.argv[1:]:
        stale = [path.name for path, said in wanted.items()
                 if not path.exists() or path.read_text(encoding="utf-8") != said]
        if stale:
            print(f"{', '.join(stale)} do not show baselines/h200: run tools/gpu/bsr_figure.py")
        return 1 if stale else 0
    PLOT.parent.mkdir(exist_ok=True)
    for path, said in wanted.items():
        path.write_text(said, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
