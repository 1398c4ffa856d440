#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of this folder: make.py CLONE-OF-NVBENCH.

ref.json      real: NVBench's own python/scripts/test_ref.json (Quadro GV100 and GP100), a few of its states.
result.json   built after NVBench's json_printer, file version 1.0.0, since no public result holds sample files: the
              same benchmarks with their sample files result.json-bin/N.bin, as --jsonbin writes them.
list.json     built likewise: what --jsonlist-benches prints.
"""
import json
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
KEEP = {"simple": 2, "single_float64_axis": 4, "copy_sweep_grid_shape": 3, "copy_type_sweep": 2,
        "copy_type_conversion_sweep": 3}


def trimmed(clone):
    ref = json.loads(subprocess.run(["git", "-C", clone, "show", "HEAD:python/scripts/test_ref.json"], check=True,
                                    capture_output=True, text=True).stdout)
    ref["meta"]["argv"] = ["nvbench.example.axes", "--json", "test_ref.json"]
    for bench in ref["benchmarks"]:
        bench["states"] = bench["states"][:KEEP[bench["name"]]]
    return ref


def number(name, kind, value):
    return {"name": name, "type": kind, "value": str(value)}


def sample_summary(index, times):
    (HERE / "result.json-bin").mkdir(exist_ok=True)
    (HERE / "result.json-bin" / f"{index}.bin").write_bytes(struct.pack(f"<{len(times)}f", *times))
    return {"tag": "nv/json/bin:nv/cold/sample_times", "name": "Sample Times File", "hint": "file/sample_times",
            "description": "Binary file containing sample times as little-endian float32.",
            "hide": "Not needed in table.",
            "data": [number("filename", "string", f"result.json-bin/{index}.bin"), number("size", "int64", len(times))]}


def with_samples(ref):
    ref["meta"]["argv"] = ["nvbench.example.axes", "--jsonbin", "result.json"]
    ref["devices"] = ref["devices"][:1]
    index = 0
    for bench in ref["benchmarks"]:
        bench["states"] = [state for state in bench["states"] if state["device"] == 0]
        for state in bench["states"]:
            if state["is_skipped"]:
                continue
            mean = next(float(s["data"][0]["value"]) for s in state["summaries"] if s["tag"] == "nv/cold/time/gpu/mean")
            state["summaries"].append(sample_summary(index, [mean * (1 + 0.001 * (i % 5 - 2)) for i in range(20)]))
            index += 1
    broken = ref["benchmarks"][0]["states"][0] | {"summaries": None, "is_skipped": True,
                                                  "skip_reason": "Unexpected error: an illegal memory access"}
    ref["benchmarks"].append(ref["benchmarks"][0] | {"name": "throws", "index": 5, "states": [broken]})
    return ref


def main():
    ref = trimmed(sys.argv[1])
    (HERE / "ref.json").write_text(json.dumps(ref, indent=2) + "\n")
    full = with_samples(ref)
    (HERE / "result.json").write_text(json.dumps(full, indent=2) + "\n")
    listed = [{"name": b["name"], "index": i, "axes": b["axes"] or []} for i, b in enumerate(full["benchmarks"])]
    (HERE / "list.json").write_text(json.dumps({"benchmarks": listed}, indent=2) + "\n")


main()
