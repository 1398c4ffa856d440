// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/history/change_points.hpp"
#include "core/history/creep.hpp"

namespace kernelgate::history {
namespace {

// A level that moves by up to 2 % every 250 points, noise .4 %.
std::vector<double> long_history(std::size_t points) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> noise(0, 0.004);
  std::uniform_real_distribution<double> step(-0.02, 0.02);
  std::vector<double> out;
  double level = 0;
  for (std::size_t i = 0; i < points; ++i) {
    if (i % 250 == 249) level += step(random);
    out.push_back(level + noise(random));
  }
  return out;
}

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
