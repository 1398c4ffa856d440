// SPDX-License-Identifier: Apache-2.0
// Speed of the rank statistics. tests/golden/stats/speed.py runs this beside R and SciPy.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "core/stats/cliffs_delta.hpp"
#include "core/stats/hodges_lehmann.hpp"
#include "core/stats/mann_whitney.hpp"

namespace kernelgate::stats {
namespace {

std::vector<double> sample(std::size_t count, double shift) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> normal(shift, 1);
  std::vector<double> out(count);
  for (double& x : out) x = normal(random) + shift * normal(random);
  return out;
}

void BM_MannWhitney(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::vector<double> first = sample(count, 0), second = sample(count, 0.1);
  for (auto _ : state) benchmark::DoNotOptimize(mann_whitney(first, second));
}

void BM_CliffsDelta(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::vector<double> first = sample(count, 0), second = sample(count, 0.1);
  for (auto _ : state) benchmark::DoNotOptimize(cliffs_delta(first, second));
}

void BM_HodgesLehmann(benchmark::State& state) {
  const std::vector<double> differences = sample(static_cast<std::size_t>(state.range(0)), 0);
  for (auto _ : state) benchmark::DoNotOptimize(hodges_lehmann(differences));
}

BENCHMARK(BM_MannWhitney)->Arg(50)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_CliffsDelta)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_HodgesLehmann)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kernelgate::stats
