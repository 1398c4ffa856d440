#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries device code, profiles, roofline, sweeps and characterisation on a CUDA machine: code_check.py KERNELGATE.

KERNELGATE is the executable; kg_probe_ceilings lies beside it. Makes a small git repository of one CUDA suite in a
temporary folder and judges its commits. Needs git, nvcc, cuobjdump, ncu, Google Benchmark. Prints PASS or FAIL a line,
and leaves what the commands printed in $OUT (default: build/code-check). Exit code 1 on any FAIL."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

OUT = pathlib.Path(os.environ.get("OUT", "build/code-check"))
NVCC = "/usr/local/cuda/bin/nvcc"
FLAGS = "-std=c++20 -O3 -lineinfo -arch=native"

MANIFEST = f"""schema = 1
[build]
build = "{NVCC} {FLAGS} {{defines}} -o {{build}}/suite {{source}}/suite.cu -lbenchmark -lpthread"
inputs = ["*.cu"]
[[suite]]
name = "scale"
run = "{{build}}/suite"
requires = {{ gpu = true }}
[[sweep]]
suite = "scale"
axes = {{ BLOCK_M = [64, 128, 80], NUM_WARPS = [4, 8], STAGES = [1] }}
"""

# BLOCK_M other than 64 does not work: 80 reads half of a vector, 128 does not compile.
SUITE = """#include <benchmark/benchmark.h>
#include <cuda_runtime.h>
#ifndef BLOCK_M
#define BLOCK_M 64
#define NUM_WARPS 8
#endif
static_assert(BLOCK_M != 128, "tiles of 128 rows do not fit");
constexpr int kCount = 1 << 24;
__global__ void scale(const float* in, float* out, float by) {
  const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const char* from = reinterpret_cast<const char*>(in + at) + (BLOCK_M == 80 ? 4 : 0);
  float4 v = *reinterpret_cast<const float4*>(from);
  @WORK@
  *reinterpret_cast<float4*>(out + at) = v;
}
void run(benchmark::State& state) {
  float *in, *out;
  cudaMalloc(&in, kCount * 4 + 64);
  cudaMalloc(&out, kCount * 4 + 64);
  cudaMemset(in, 1, kCount * 4);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (auto _ : state) {
    cudaEventRecord(begin);
    for (int i = 0; i < 8; ++i)
      scale<<<kCount / (NUM_WARPS * 32 * 4), NUM_WARPS * 32>>>(in, out, 2.0F);
    auto error = cudaEventRecord(end);
    if (error == cudaSuccess) error = cudaEventSynchronize(end);
    if (error != cudaSuccess) {
      state.SkipWithError(("CUDA error " + std::to_string(error) + ": " + cudaGetErrorString(error)).c_str());
      break;
    }
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    state.SetIterationTime(ms / 8e3);
  }
  state.counters["flops"] = 1.0 * kCount;
  state.counters["bytes"] = 8.0 * kCount;
  state.counters["block"] = NUM_WARPS * 32;
  cudaFree(in);
  cudaFree(out);
}
BENCHMARK(run)->Name("scale/fp32/cold")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
"""
WORK = "v.x *= by, v.y *= by, v.z *= by, v.w *= by;"
SLOW = "#pragma unroll 1\n  for (int i = 0; i < 200; ++i) { v.x = v.x * by + in[(at + i * 977) & (kCount - 1)]; }"


class Check:
    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kernelgate-code-"))
        self.failed = 0
        OUT.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        identity = ["-c", "user.name=A Person", "-c", "user.email=a@example.com"]
        subprocess.run(["git", "-C", str(self.folder), *identity, *words], check=True, stdout=subprocess.DEVNULL)

    def commit(self, work=WORK, tail=""):
        text = SUITE.replace("@WORK@", work) + tail
        (self.folder / "suite.cu").write_text(text, encoding="utf-8")
        (self.folder / "kernelgate.toml").write_text(MANIFEST, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "Change the suite")

    def ask(self, name, *words):
        ran = subprocess.run([str(self.program), *words], capture_output=True, text=True, timeout=500, check=False)
        (OUT / f"{name}.txt").write_text(ran.stdout + "\n" + ran.stderr, encoding="utf-8")
        try:
            return json.loads(ran.stdout)
        except ValueError:
            return {}

    def run(self, name, base="HEAD^"):
        found = self.ask(name, "run", "--repo", str(self.folder), "--base", base, "--format", "json")
        return found, (found.get("comparisons") or [{}])[0]

    def say(self, what, good, shown):
        self.failed += 0 if good else 1
        print(f"{'PASS' if good else 'FAIL'}  {what}: {shown}", flush=True)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: code_check.py KERNELGATE")
    check = Check(sys.argv[1])
    check.commit()
    check.commit(tail="// a comment\n")
    _, one = check.run("comment")
    check.say("a comment under -lineinfo is identical", one.get("verdict") == "identical", one.get("verdict"))
    check.commit()
    check.commit(work=SLOW)
    _, one = check.run("slower")
    check.say("a slower kernel lists its device code", bool(one.get("code_changes")), one.get("code_changes"))
    check.say("and the counters that moved", bool(one.get("counter_changes")), one.get("counter_changes"))
    check.say("and its place under the roof", bool(one.get("roof")), one.get("roof"))
    check.commit()
    found = check.ask("sweep", "sweep", "--repo", str(check.folder), "--format", "json")
    sweep = (found.get("sweeps") or [{}])[0]
    constraints = [text for text in sweep.get("constraints", []) if "other than 64 fails" in text]
    check.say("the sweep names its constraint", any("misaligned address" in text for text in constraints),
              f"{sweep.get('best')}; {sweep.get('constraints')}; {[p['outcome'] for p in sweep.get('points', [])]}")
    found = check.ask("characterize", "characterize", "--repo", str(check.folder), "--format", "json")
    figures = ((found.get("suites") or [{}])[0].get("benchmarks") or [{}])[0]
    check.say("100 samples in 10 processes", figures.get("samples") == 100 and figures.get("processes") == 10,
              {key: figures.get(key) for key in ("median_ns", "low_ns", "high_ns", "spread_within", "spread_between")})
    check.commit(work=SLOW)
    found = check.ask("profile", "profile", "--repo", str(check.folder), "--output", str(OUT / "pages"),
                      "--benchmark", "scale/fp32/cold/manual_time", "--format", "json")
    check.say("a profile on demand", bool(found.get("changes")), found.get("changes"))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
