// SPDX-License-Identifier: Apache-2.0
// memory_lone_bench: copies timed one launch at a time, as a plain Google Benchmark program does without the kit.
// It shows what batching is for: its times hold the events and the launch beside the kernel.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "kernels/bench/operands.hpp"
#include "kernels/memory/memory.hpp"

namespace {

using namespace kernels::bench;

void lone_copy(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) * 1024 / sizeof(float);
  try {
    const Device device = current_device();
    const Event start = make_event(), stop = make_event();
    Operands set(device, kSeed, nullptr, {});
    const float* in = set.input<float>(count);
    float* out = set.output<float>(count);
    const kernels::StreamConfig config = kernels::stream_config(count, device.multiprocessors);
    for (auto _ : state) {
      check(cudaEventRecord(start.get()), "the event before");
      kernels::copy(in, out, count, config, nullptr);
      check(cudaEventRecord(stop.get()), "the event after");
      check(cudaEventSynchronize(stop.get()), "waiting for the kernel");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, start.get(), stop.get()), "the time between the events");
      state.SetIterationTime(ms / 1e3);
    }
  } catch (const CudaError& error) {
    state.SkipWithError(error.what());
  }
}

BENCHMARK(lone_copy)->Name("lone_copy/KiB")->Arg(256)->Arg(4096)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
