// SPDX-License-Identifier: Apache-2.0
#include "core/decision/suite_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

namespace kernelgate {
namespace {

using Failures = std::map<std::string, CaseFailure, std::less<>>;

// Wrong numbers outrank everything: no failure of base excuses them.
bool stands_alone(Verdict verdict) { return verdict == Verdict::broken || verdict == Verdict::invalid; }

void keep_worst(Failures& failures, const CaseFailure& failure) {
  const auto [entry, fresh] = failures.try_emplace(failure.benchmark, failure);
  if (!fresh && stands_alone(failure.verdict) && !stands_alone(entry->second.verdict)) entry->second = failure;
}

// A series' own error counts like a failed start, unless the runner has already recorded one.
void add_own_errors(const PairTable& pairs, const std::vector<std::string>& benchmarks, Side side, Failures& failures) {
  for (const std::string& benchmark : benchmarks) {
    const std::string error = pairs.own_error(benchmark, side);
    if (error.empty() || failures.contains(benchmark)) continue;
    failures.emplace(benchmark, CaseFailure{.benchmark = benchmark,
                                            .side = side,
                                            .verdict = Verdict::crashed,
                                            .text = "the suite reports: " + error,
                                            .fingerprint = {}});
  }
}

// Overrides are read one by one; which of them meet in a benchmark shows only here.
std::string band_fault(const Policy& policy, const std::string& benchmark) {
  if (policy.overrides.empty()) return {};
  const Policy own = for_benchmark(policy, benchmark);
  if (is_band(own.tolerate, own.catch_limit)) return {};
  return fmt::format(
      "the manifest's overrides leave no band: tolerate is {}, catch is {}; give both in the last [[policy.override]] "
      "that matches",
      own.tolerate, own.catch_limit);
}

}  // namespace

std::vector<std::string> base_names(const SuiteEvidence& suite) {
  if (suite.has_base || suite.stored.empty()) return suite.base_benchmarks;
  std::vector<std::string> out;
  for (const StoredSessions& sessions : suite.stored) out.push_back(sessions.benchmark);
  return out;
}

SuiteView::SuiteView(const SuiteEvidence& suite, const Policy& policy, std::span<const StoredVariance> stored)
    : suite_(suite), policy_(policy), pairs_(suite.processes), device_(suite.processes), stored_table_(suite, policy) {
  for (const StoredVariance& entry : stored) {
    if (entry.suite != suite.name) continue;
    if (entry.degrees >= kStoredDegrees && std::isfinite(entry.variance) && entry.variance >= 0)
      stored_[entry.benchmark] = entry;
    if (std::isfinite(entry.detectable) && entry.detectable > 0) calibrated_[entry.benchmark] = entry.detectable;
  }
  sort_benchmarks();
}

void SuiteView::sort_benchmarks() {
  Failures of_base, of_head;
  for (const CaseFailure& failure : suite_.failures)
    keep_worst(failure.side == Side::base ? of_base : of_head, failure);
  add_own_errors(pairs_, suite_.base_benchmarks, Side::base, of_base);
  add_own_errors(pairs_, suite_.head_benchmarks, Side::head, of_head);

  for (const auto& [benchmark, failure] : of_head) {
    const auto base = of_base.find(benchmark);
    if (base == of_base.end() || stands_alone(failure.verdict)) {
      failed.push_back(failure);
    } else {
      unjudgeable.emplace_back(benchmark, "fails on both sides: base " + base->second.text + "; head " + failure.text);
    }
  }
  const std::vector<std::string> names = base_names(suite_);
  const std::set<std::string_view> in_base(names.begin(), names.end());
  std::set<std::string_view> in_head;
  for (const std::string& benchmark : suite_.head_benchmarks) {
    if (!in_head.insert(benchmark).second || of_head.contains(benchmark)) continue;
    if (const auto base = of_base.find(benchmark); base != of_base.end()) {
      unjudgeable.emplace_back(benchmark,
                               "base fails here, so there is nothing to compare head with: " + base->second.text);
    } else if (!in_base.contains(benchmark)) {
      added.push_back(benchmark);
    } else if (std::string fault = band_fault(policy_, benchmark); !fault.empty() && !suite_.identical) {
      unjudgeable.emplace_back(benchmark, std::move(fault));
    } else {
      timed.push_back(benchmark);
    }
  }
  for (std::string_view benchmark : in_base)
    if (!in_head.contains(benchmark) && !of_head.contains(benchmark)) missing.emplace_back(benchmark);
}

Policy SuiteView::policy_of(std::string_view benchmark) const { return for_benchmark(policy_, benchmark); }

KnownNoise SuiteView::known_noise(std::string_view benchmark) const {
  KnownNoise out;
  if (const auto entry = stored_.find(benchmark); entry != stored_.end()) out.stored = entry->second;
  const double step = pairs_.clock_step(benchmark);
  out.clock = step * step / 6;  // a time lies anywhere within a step: step^2 / 12 a side
  return out;
}

double SuiteView::calibrated(std::string_view benchmark) const {
  const auto entry = calibrated_.find(benchmark);
  return entry == calibrated_.end() ? 0 : entry->second;
}

std::optional<StoredJudgement> SuiteView::judge_stored(std::string_view benchmark) {
  if (stored_table_.wanted(benchmark) == 0) return std::nullopt;
  const Policy own = policy_of(benchmark);
  auto judged = stored_table_.judge(benchmark, band_of(own, timed.size()), quantiles);
  // What calibration could not distinguish from none is not cleared either.
  if (judged && judged->verdict == Verdict::unchanged && calibrated(benchmark) >= own.catch_limit)
    judged->verdict = Verdict::undecided;
  return judged;
}

bool SuiteView::is_cleared(std::string_view benchmark) {
  const std::optional<StoredJudgement> judged = judge_stored(benchmark);
  return judged && judged->verdict == Verdict::unchanged;
}

Sequence SuiteView::sequence(const std::string& benchmark, int round) {
  std::vector<double> d;
  for (const PairTimes& pair : pairs_.of(benchmark, round)) d.push_back(pair.difference());
  if (policy_.rule == Rule::mwu_cliff) {
    const int pairs = static_cast<int>(d.size());
    return Sequence{.pairs = pairs, .finished = suite_.recorded || pairs >= policy_.max_pairs};
  }
  const KnownNoise known = known_noise(benchmark);
  const int last = suite_.recorded ? static_cast<int>(d.size()) : policy_.max_pairs;
  return judge_sequence(d, look_schedule(last, known.stored.has_value()), known,
                        band_of(policy_of(benchmark), timed.size()), quantiles);
}

Sequence SuiteView::device_sequence(const std::string& benchmark) {
  const DeviceBenchmark& own = device_.of(benchmark);
  std::vector<double> d;
  for (const PairTimes& pair : own.pairs) d.push_back(pair.difference());
  const int last = suite_.recorded ? static_cast<int>(d.size()) : policy_.max_pairs;
  return judge_sequence(d, look_schedule(last, false), {.clock = own.floor},
                        band_of(policy_of(benchmark), timed.size()), quantiles);
}

bool SuiteView::judged_by_device(std::string_view benchmark) const {
  return suite_.clock != ClockKind::host && device_.of(benchmark).trouble.empty();
}

bool SuiteView::judged_by_host(std::string_view benchmark) const {
  return suite_.clock != ClockKind::device || !judged_by_device(benchmark);
}

}  // namespace kernelgate
