// SPDX-License-Identifier: Apache-2.0
// Makes the golden results in this folder: every form of row that a version of Google Benchmark writes.
// See make.sh for the versions and flags.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>
#include <thread>

namespace {

void work(benchmark::State& state) {
  double sum = 0;
  for (auto _ : state) {
    for (int i = 0; i < 100 * state.range(0); ++i) sum += i;
    benchmark::DoNotOptimize(sum);
  }
  state.counters["flops"] = benchmark::Counter(100.0, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["zero_over_zero"] = 0.0 / static_cast<double>(state.range(0) - state.range(0));
  state.SetComplexityN(state.range(0));
  state.SetLabel("a \"label\"");
}

void manual(benchmark::State& state) {
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    state.SetIterationTime(2e-3);
  }
}

void failing(benchmark::State& state) {
  state.SkipWithError("CUDA error: an illegal memory access was encountered");
  for (auto _ : state) {
  }
}

#ifdef HAS_SKIP_WITH_MESSAGE
void skipping(benchmark::State& state) {
  state.SkipWithMessage("needs compute capability 9.0");
  for (auto _ : state) {
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("gemm/naive", work)->Arg(1)->Arg(8)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("threads", work)->Arg(1)->Threads(2)->UseRealTime();
  benchmark::RegisterBenchmark("manual", manual)->UseManualTime()->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("fails", failing);
  benchmark::RegisterBenchmark("quote\"back\\slash/größe µ", work)->Arg(2);
  benchmark::RegisterBenchmark("fixed", work)->Arg(1)->Repetitions(4);
  benchmark::RegisterBenchmark("summary", work)->Arg(1)->ReportAggregatesOnly();
#ifdef HAS_SKIP_WITH_MESSAGE
  benchmark::RegisterBenchmark("skips", skipping);
#endif
  benchmark::RegisterBenchmark("fit", work)->RangeMultiplier(2)->Range(1, 4)->Complexity();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
