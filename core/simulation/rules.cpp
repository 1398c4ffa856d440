// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/decision/rule/looks.hpp"
#include "core/decision/rule/mwu_cliff.hpp"
#include "core/decision/rule/stored_screen.hpp"
#include "core/simulation/peers.hpp"
#include "core/simulation/tried.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::simulation {
namespace {

// Of five A/A comparisons of four pairs: 15 degrees of freedom.
std::optional<StoredVariance> stored_variance(const SimulatedBenchmark& benchmark, Random& random,
                                              const Setting& setting) {
  std::vector<PastComparison> past;
  for (int i = 0; i < 5; ++i) {
    const auto d = pair_differences(benchmark, random, 0, 4, static_cast<std::size_t>(setting.repetitions));
    const auto moments = stats::moments(without_outliers(d, {})).value();
    past.push_back({.pairs = 4,
                    .mean = moments.mean,
                    .sum_squares = setting.stored_variance_factor * moments.sum_squares,
                    .degrees = 3});
  }
  return stored_noise(past);
}

Outcome ours(const Setting& setting, double effect, Random& random) {
  static thread_local Quantiles quantiles;
  const SimulatedBenchmark benchmark(random, setting.noise);
  const auto repetitions = static_cast<std::size_t>(setting.repetitions);
  KnownNoise known;
  if (setting.history) known.stored = stored_variance(benchmark, random, setting);
  const std::vector<int> looks =
      setting.looks.empty() ? look_schedule(setting.policy.max_pairs, setting.history) : setting.looks;
  const auto pairs = static_cast<std::size_t>(looks.back());
  const auto differences = pair_differences(benchmark, random, effect, pairs, repetitions);
  const Sequence judged = judge_sequence(differences, looks, known, band_of(setting.policy, 1), quantiles);
  const auto used = std::span(differences).first(static_cast<std::size_t>(judged.pairs));
  return {judged.verdict, 2 * judged.pairs, stats::moments(used).value().mean};
}

// The product's own rule of that name, 8 pairs.
Outcome mwu_cliff(const Setting& setting, double effect, Random& random) {
  constexpr int kPairs = 8;
  const SimulatedBenchmark benchmark(random, setting.noise);
  const auto repetitions = static_cast<std::size_t>(setting.repetitions);
  std::vector<double> effects(2 * kPairs);
  for (std::size_t i = 0; i < kPairs; ++i) effects[2 * i + (i % 2 == 0 ? 1 : 0)] = effect;
  const Session session = benchmark.session(random, effects, repetitions);
  std::vector<PairTimes> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const double first = median_of(session.process(2 * i)), second = median_of(session.process(2 * i + 1));
    pairs.push_back(i % 2 == 0 ? PairTimes{static_cast<int>(i), first, second}
                               : PairTimes{static_cast<int>(i), second, first});
  }
  return {judge_mwu_cliff(pairs, band_of(setting.policy, 1)), 2 * kPairs};
}

// The log process medians of one session of head alone, with an offset of its own.
StoredSession session_of(const SimulatedBenchmark& benchmark, const Setting& setting, double shift,
                         std::size_t processes, Random& random) {
  const std::vector<double> effects(processes, shift);
  const Session session = benchmark.session(random, effects, static_cast<std::size_t>(setting.repetitions));
  StoredSession out;
  for (std::size_t i = 0; i < session.processes(); ++i) out.push_back(median_of(session.process(i)));
  return out;
}

// Two processes of head against twenty stored sessions of two.
Outcome stored_screen(const Setting& setting, double effect, Random& random) {
  static thread_local Quantiles quantiles;
  const SimulatedBenchmark benchmark(random, setting.noise);
  std::vector<StoredSession> sessions;
  for (int i = 0; i < kStoredSessionsMin; ++i)
    sessions.push_back(session_of(benchmark, setting, 0, kStoredProcessesMin, random));
  const StoredSession head = session_of(benchmark, setting, effect, kStoredProcessesMin, random);
  const auto screened = screen_against_stored(sessions, head, band_of(setting.policy, 1), quantiles);
  return {screened->verdict, kStoredProcessesMin, screened->shift};
}

// Eight processes of head against all forty of twenty stored sessions.
Outcome mwu_cliff_stored(const Setting& setting, double effect, Random& random) {
  constexpr std::size_t kHead = 8;
  const SimulatedBenchmark benchmark(random, setting.noise);
  std::vector<double> base;
  for (int i = 0; i < kStoredSessionsMin; ++i)
    for (const double level : session_of(benchmark, setting, 0, kStoredProcessesMin, random)) base.push_back(level);
  const StoredSession head = session_of(benchmark, setting, effect, kHead, random);
  const double shift = stats::median(head).value() - stats::median(base).value();
  return {judge_mwu_cliff(base, head, band_of(setting.policy, 1)), static_cast<int>(kHead), shift};
}

constexpr std::array<SimulatedRule, 12> kRules{{
    {"ours", "sequential pairs (docs/DECISION_RULE.md)", ours},
    {"mwu_cliff", "U < .05, |delta| >= .147, >= catch, on the medians of 8 + 8 processes in turn", mwu_cliff},
    {"stored", "two processes against the prediction interval of 20 stored sessions", stored_screen},
    {"mwu_cliff_stored", "mwu_cliff, 8 processes of head against all 40 of 20 stored sessions", mwu_cliff_stored},
    {"gbench_compare", "Google Benchmark's compare.py: U < .05 on 20 + 20 repetitions, stored base", gbench_stored},
    {"gbench_back_to_back", "the same, base process then head process", gbench_back_to_back},
    {"nvbench_compare", "NVBench: |difference| > the smaller relative sd, 100 samples, stored base", nvbench_compare},
    {"benchstat", "Go's benchstat: U < .05 on 10 old, then 10 new processes", benchstat_blocks},
    {"benchstat_interleaved", "the same, old and new processes in turn", benchstat_interleaved},
    {"bencher_percentage", "Bencher: more than 3 % above the mean of 20 past runs", bencher_percentage},
    {"bencher_t", "Bencher: above the t limit (.99) of 20 past runs", bencher_t},
    {"conbench_z", "Conbench: z > 5 against 20 past runs", conbench_z},
}};

}  // namespace

std::span<const SimulatedRule> simulated_rules() { return kRules; }

const SimulatedRule* find_simulated_rule(std::string_view name) {
  for (std::span<const SimulatedRule> rules : {simulated_rules(), tried_rules()})
    for (const SimulatedRule& rule : rules)
      if (rule.name == name) return &rule;
  return nullptr;
}

Rates simulate(const SimulatedRule& rule, const Setting& setting, double true_shift, int trials, std::uint64_t seed) {
  Rates out{.rule = std::string(rule.name), .true_shift = true_shift, .trials = trials};
  const double effect = std::log1p(true_shift);
  // Every true ratio draws its own benchmarks: the rows of a table are independent.
  const auto stream = static_cast<std::uint64_t>(std::llround(1e6 * (1 + true_shift)));
  double processes = 0, estimates = 0, estimates_regressed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Random random(trial_seed(seed, stream, static_cast<std::uint64_t>(trial)));
    const Outcome outcome = rule.run(setting, effect, random);
    processes += outcome.processes;
    estimates += outcome.estimate;
    if (outcome.verdict == Verdict::regressed) estimates_regressed += outcome.estimate;
    switch (outcome.verdict) {
      case Verdict::regressed: ++out.regressed; break;
      case Verdict::improved: ++out.improved; break;
      case Verdict::unchanged: ++out.unchanged; break;
      case Verdict::suspected: ++out.suspected; break;
      default: ++out.undecided; break;
    }
  }
  out.processes = processes / trials;
  out.estimate = std::expm1(estimates / trials);
  if (out.regressed > 0) out.estimate_regressed = std::expm1(estimates_regressed / out.regressed);
  return out;
}

Proportion wilson(int count, int trials) {
  constexpr double kZ = 1.959963984540054;  // two-sided 95 %
  const double n = trials, p = count / n;
  const double centre = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  return {p, std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace kernelgate::simulation
