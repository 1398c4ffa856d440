// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstddef>

#include "core/history/bench_history.hpp"
#include "core/history/change_points.hpp"
#include "core/history/creep.hpp"

namespace kernelgate::history {
namespace {

void BM_FindChangePoints(benchmark::State& state) {
  const auto points = long_history(static_cast<std::size_t>(state.range(0)));
  std::size_t found = 0;
  for (auto _ : state) found = find_change_points(points)->size();
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(BM_FindChangePoints)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

void BM_FindCreep(benchmark::State& state) {
  const auto points = long_history(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(find_creep(points));
}
BENCHMARK(BM_FindCreep)->Arg(100)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kernelgate::history
