// SPDX-License-Identifier: Apache-2.0
// A small suite that chooses: which of its two ways to sum runs stands in the commit's table (choice.txt, compiled in)
// unless KG_CONFIGURATIONS pins it. KG_WORK is how often the kernel does its work over.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

float one_chain(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0f); }

float eight_chains(const std::vector<float>& values) {
  float sums[8] = {};
  for (std::size_t i = 0; i + 8 <= values.size(); i += 8)
    for (int lane = 0; lane < 8; ++lane) sums[lane] += values[i + lane];
  return std::accumulate(std::begin(sums), std::end(sums), 0.0f);
}

struct Variant {
  const char* name;
  float (*sum)(const std::vector<float>&);
};
constexpr Variant kVariants[] = {{"chains/1", one_chain}, {"chains/8", eight_chains}, {"chains/8b", eight_chains}};

// The line of the benchmark in the environment, else the table's word.
std::string configuration(const std::string& benchmark) {
#ifndef KG_DEAF
  if (const char* pins = std::getenv("KG_CONFIGURATIONS")) {
    const std::string text = std::string("\n") + pins, key = "\n" + benchmark + "=";
    if (const std::size_t at = text.find(key); at != text.npos) {
      const std::size_t from = at + key.size();
      return text.substr(from, text.find('\n', from) - from);
    }
  }
#endif
  return KG_CHOICE;
}

void sum(benchmark::State& state) {
  const std::vector<float> values(static_cast<std::size_t>(state.range(0)), 1.5f);
  const std::string chosen = configuration("sum/" + std::to_string(state.range(0)));
  const Variant* variant = nullptr;
  for (const Variant& one : kVariants)
    if (chosen == one.name) variant = &one;
  if (variant == nullptr) return state.SkipWithError(("there is no " + chosen).c_str());
  for (auto _ : state)
    for (int i = 0; i < KG_WORK; ++i) benchmark::DoNotOptimize(variant->sum(values));
  state.SetLabel("configuration=" + chosen);
}
BENCHMARK(sum)->Arg(4096);

}  // namespace

BENCHMARK_MAIN();
