// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/peers.hpp"

#include <cmath>
#include <numeric>

#include "core/stats/distributions.hpp"
#include "core/stats/mann_whitney.hpp"

namespace kernelgate::simulation {
namespace {

constexpr double kAlpha = 0.05;
constexpr std::size_t kGbenchRepetitions = 20, kNvbenchSamples = 100, kBenchstatProcesses = 10, kPastRuns = 20;
constexpr double kBencherPercentage = 0.03, kBencherQuantile = 0.99, kConbenchZ = 5;

struct MeanSd {
  double mean = 0, sd = 0;
};

// `lost` degrees of freedom: 1 for the sample's sd, 0 for the population's.
MeanSd mean_sd(std::span<const double> values, double lost) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return {mean, std::sqrt(sum / (n - lost))};
}

std::vector<double> times(std::span<const double> log_times) {
  std::vector<double> out(log_times.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::exp(log_times[i]);
  return out;
}

Verdict by_sign(bool alarm, double shift) {
  if (!alarm) return Verdict::unchanged;
  return shift > 0 ? Verdict::regressed : Verdict::improved;
}

// Process means of 10 old and 10 new processes of one session; `turn`: in turn, else old first.
Verdict benchstat(const Setting& setting, double effect, Random& random, bool turn) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  std::vector<double> effects(2 * kBenchstatProcesses);
  const auto is_new = [&](std::size_t i) { return turn ? i % 2 == 1 : i >= kBenchstatProcesses; };
  for (std::size_t i = 0; i < effects.size(); ++i) effects[i] = is_new(i) ? effect : 0;
  const Session session = benchmark.session(random, effects, 10);
  std::vector<double> old_means, new_means;
  for (std::size_t i = 0; i < effects.size(); ++i)
    (is_new(i) ? new_means : old_means).push_back(mean_of(session.process(i)));
  return benchstat_rule(old_means, new_means);
}

// One base process of an earlier session against one head process of today's.
Outcome two_sessions(const Setting& setting, double effect, Random& random, std::size_t repetitions,
                     Verdict (*rule)(std::span<const double>, std::span<const double>)) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  const std::vector<double> same{0.0}, shifted{effect};
  const Session base = benchmark.session(random, same, repetitions);
  const Session head = benchmark.session(random, shifted, repetitions);
  return {rule(base.process(0), head.process(0)), 1};
}

struct NewAgainstPast {
  double now = 0;
  std::vector<double> past;
};

// One figure (the mean of 20 repetitions) of a new session, and of 20 past sessions.
NewAgainstPast against_past(const Setting& setting, double effect, Random& random) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  NewAgainstPast out;
  const std::vector<double> same{0.0}, shifted{effect};
  for (std::size_t i = 0; i < kPastRuns; ++i)
    out.past.push_back(mean_time(benchmark.session(random, same, kGbenchRepetitions).process(0)));
  out.now = mean_time(benchmark.session(random, shifted, kGbenchRepetitions).process(0));
  return out;
}

}  // namespace

double mean_of(std::span<const double> values) { return mean_sd(values, 0).mean; }
double mean_time(std::span<const double> log_times) { return mean_of(times(log_times)); }

Verdict gbench_rule(std::span<const double> base, std::span<const double> head) {
  return by_sign(stats::mann_whitney(base, head).value().p < kAlpha, median_of(head) - median_of(base));
}

Verdict nvbench_rule(std::span<const double> base, std::span<const double> head) {
  const MeanSd before = mean_sd(times(base), 1), after = mean_sd(times(head), 1);
  const double shift = (after.mean - before.mean) / before.mean;
  return by_sign(std::abs(shift) > std::min(before.sd / before.mean, after.sd / after.mean), shift);
}

Verdict benchstat_rule(std::span<const double> old_means, std::span<const double> new_means) {
  return gbench_rule(old_means, new_means);  // the same test, on other figures
}

Verdict bencher_percentage_rule(std::span<const double> past, double now) {
  const double shift = now / mean_of(past) - 1;
  return by_sign(std::abs(shift) > kBencherPercentage, shift);
}

Verdict bencher_t_rule(std::span<const double> past, double now) {
  const MeanSd seen = mean_sd(past, 0);
  const double limit = stats::t_quantile(kBencherQuantile, static_cast<double>(past.size() - 1)) * seen.sd;
  return by_sign(std::abs(now - seen.mean) > limit, now - seen.mean);
}

Verdict conbench_rule(std::span<const double> past, double now) {
  const MeanSd seen = mean_sd(past, 1);
  return by_sign(std::abs(now - seen.mean) > kConbenchZ * seen.sd, now - seen.mean);
}

Outcome gbench_stored(const Setting& setting, double effect, Random& random) {
  return two_sessions(setting, effect, random, kGbenchRepetitions, gbench_rule);
}

Outcome gbench_back_to_back(const Setting& setting, double effect, Random& random) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  const std::vector<double> effects{0.0, effect};
  const Session both = benchmark.session(random, effects, kGbenchRepetitions);
  return {gbench_rule(both.process(0), both.process(1)), 2};
}

Outcome nvbench_compare(const Setting& setting, double effect, Random& random) {
  return two_sessions(setting, effect, random, kNvbenchSamples, nvbench_rule);
}

Outcome benchstat_blocks(const Setting& setting, double effect, Random& random) {
  return {benchstat(setting, effect, random, false), 2 * static_cast<int>(kBenchstatProcesses)};
}

Outcome benchstat_interleaved(const Setting& setting, double effect, Random& random) {
  return {benchstat(setting, effect, random, true), 2 * static_cast<int>(kBenchstatProcesses)};
}

Outcome bencher_percentage(const Setting& setting, double effect, Random& random) {
  const NewAgainstPast runs = against_past(setting, effect, random);
  return {bencher_percentage_rule(runs.past, runs.now), 1};
}

Outcome bencher_t(const Setting& setting, double effect, Random& random) {
  const NewAgainstPast runs = against_past(setting, effect, random);
  return {bencher_t_rule(runs.past, runs.now), 1};
}

Outcome conbench_z(const Setting& setting, double effect, Random& random) {
  const NewAgainstPast runs = against_past(setting, effect, random);
  return {conbench_rule(runs.past, runs.now), 1};
}

}  // namespace kernelgate::simulation
