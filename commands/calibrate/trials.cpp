// SPDX-License-Identifier: Apache-2.0
#include "commands/calibrate/trials.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::local {
namespace {

// The pairs from `first` on, `count` of them, as a suite of their own.
SuiteEvidence pairs_of(const SuiteEvidence& suite, int first, int count) {
  SuiteEvidence out;
  out.name = suite.name;
  out.base_benchmarks = suite.base_benchmarks;
  out.head_benchmarks = suite.head_benchmarks;
  for (const Process& process : suite.processes) {
    if (process.round != 0 || process.pair < first || process.pair >= first + count) continue;
    out.processes.push_back(process);
    out.processes.back().pair -= first;
  }
  return out;
}

void count(Verdict verdict, service::CalibratedBenchmark& out) {
  ++out.trials;
  switch (verdict) {
    case Verdict::regressed: ++out.regressed; break;
    case Verdict::improved: ++out.improved; break;
    case Verdict::unchanged: ++out.unchanged; break;
    case Verdict::suspected: ++out.suspected; break;
    default: ++out.undecided; break;
  }
}

// The figures of all pairs together; the limit of max_pairs pairs, as well as the variance of these pairs is known.
void fill(const std::vector<PairTimes>& pairs, const Policy& policy, Quantiles& quantiles,
          service::CalibratedBenchmark& out) {
  std::vector<double> d;
  for (const PairTimes& pair : pairs) d.push_back(pair.difference());
  const stats::Moments moments = stats::moments(d).value();
  const double half = quantiles.t(kEqualTail, moments.count - 1) * std::sqrt(moments.variance / moments.count);
  out.pairs = moments.count;
  out.ratio = std::exp(moments.mean);
  out.ratio_low = std::exp(moments.mean - half);
  out.ratio_high = std::exp(moments.mean + half);
  out.sum_squares = moments.sum_squares;
  out.degrees = moments.count - 1;
  const int last = std::max(2, policy.max_pairs - policy.max_pairs % 2);
  out.detectable = std::expm1(quantiles.t(kEqualTail, out.degrees) * std::sqrt(moments.variance / last));
  out.tolerate = policy.tolerate;
  out.catch_limit = policy.catch_limit;
}

}  // namespace

std::vector<service::CalibratedBenchmark> count_trials(const SuiteEvidence& suite, const Policy& policy,
                                                       std::span<const StoredVariance> stored, double injected) {
  const PairTable table(suite.processes);
  Quantiles quantiles;
  std::map<std::string, service::CalibratedBenchmark> found;
  std::map<int, std::vector<std::string>> starts;  // pair at which the next trial of these begins
  for (const std::string& benchmark : suite.head_benchmarks) {
    const std::vector<PairTimes>& pairs = table.of(benchmark, 0);
    if (pairs.size() < 2) continue;
    service::CalibratedBenchmark& one = found[benchmark];
    one.suite = suite.name;
    one.benchmark = benchmark;
    one.injected = injected;
    fill(pairs, for_benchmark(policy, benchmark), quantiles, one);
    starts[0].push_back(benchmark);
  }
  while (!starts.empty()) {
    const auto [first, benchmarks] = *starts.begin();
    starts.erase(starts.begin());
    if (first + policy.max_pairs > table.next_pair(0)) continue;
    for (const Comparison& judged : decide_suite(pairs_of(suite, first, policy.max_pairs), policy, stored)) {
      if (std::find(benchmarks.begin(), benchmarks.end(), judged.benchmark) == benchmarks.end()) continue;
      if (judged.pairs < 2) continue;
      count(judged.verdict, found[judged.benchmark]);
      starts[first + judged.pairs + judged.pairs % 2].push_back(judged.benchmark);
    }
  }
  std::vector<service::CalibratedBenchmark> out;
  for (const std::string& benchmark : suite.head_benchmarks)
    if (const auto one = found.find(benchmark); one != found.end()) out.push_back(one->second);
  return out;
}

Rate rate_of(int hits, int trials) {
  if (trials <= 0) return {};
  // The p at which this many hits or fewer (more) have a chance of .025, by bisection of the distribution function.
  const auto solve = [&](int most, double chance) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (stats::binomial_cdf(most, trials, middle) > chance ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  return {.low = hits == 0 ? 0 : solve(hits - 1, 0.975),
          .estimate = static_cast<double>(hits) / trials,
          .high = hits == trials ? 1 : solve(hits, 0.025)};
}

}  // namespace kernelgate::local
