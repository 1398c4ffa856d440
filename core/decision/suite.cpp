// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/decision/decide.hpp"
#include "core/decision/device_comparison.hpp"
#include "core/decision/explain/attribution.hpp"
#include "core/decision/explain/checks.hpp"
#include "core/decision/explain/counters.hpp"
#include "core/decision/explain/device_code.hpp"
#include "core/decision/explain/distribution.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/decision/rule/figures.hpp"
#include "core/decision/rule/mwu_cliff.hpp"
#include "core/decision/rule/noise_signs.hpp"
#include "core/decision/stored_comparison.hpp"
#include "core/decision/suite_view.hpp"

namespace kernelgate {
namespace {

Comparison plain(const SuiteEvidence& suite, const std::string& benchmark, Verdict verdict, std::string reason) {
  Comparison out;
  out.suite = suite.name;
  out.benchmark = benchmark;
  out.verdict = verdict;
  out.reason = std::move(reason);
  return out;
}

Comparison of_failure(const SuiteEvidence& suite, const CaseFailure& failure) {
  Comparison out =
      plain(suite, failure.benchmark.empty() ? suite.name : failure.benchmark, failure.verdict, failure.text);
  if (failure.signal != 0 && failure.text.find("signal") == std::string::npos)
    out.reason = fmt::format("signal {}: {}", failure.signal, failure.text);
  out.fingerprint = failure.fingerprint;
  return out;
}

// The samples of the one process a side that a benchmark of recorded files may have.
std::span<const double> only_samples(const SuiteEvidence& suite, const std::string& benchmark, Side side) {
  for (const Process& process : suite.processes)
    if (process.side == side)
      for (const Series& series : process.series)
        if (series.benchmark == benchmark && is_usable(series)) return series.samples_ns;
  return {};
}

// Which round speaks: the rerun of a suspected benchmark, if it came to an end, alone.
std::pair<int, Sequence> speaking_round(SuiteView& view, const std::string& benchmark) {
  Sequence first = view.sequence(benchmark, 0);
  if (!first.finished || first.verdict != Verdict::suspected) return {0, std::move(first)};
  Sequence rerun = view.sequence(benchmark, 1);
  if (!rerun.finished || rerun.pairs == 0) return {0, std::move(first)};
  return {1, std::move(rerun)};
}

Comparison judge_timed(SuiteView& view, const std::string& benchmark) {
  const SuiteEvidence& suite = view.suite();
  const std::optional<StoredJudgement> alone = view.judge_stored(benchmark);
  if (!suite.has_base || (alone && alone->verdict == Verdict::unchanged)) return against_stored(view, benchmark, alone);
  const Policy policy = view.policy_of(benchmark);
  auto [round, sequence] = speaking_round(view, benchmark);
  const std::vector<PairTimes>& pairs = view.pairs().of(benchmark, round);
  Comparison out = plain(suite, benchmark, sequence.verdict, {});
  out.severity = sequence.severity;
  out.round = round;
  out.pairs = sequence.pairs;
  out.looks = std::move(sequence.looks);
  out.tolerate = policy.tolerate;
  out.catch_limit = policy.catch_limit;
  out.gpu_s = view.pairs().gpu_s(benchmark);
  if (policy.rule == Rule::mwu_cliff) {
    out.verdict = judge_mwu_cliff(pairs, band_of(policy, view.timed.size()));
    if (out.verdict == Verdict::regressed) out.severity = Severity::full;
  }
  fill_figures(out, pairs, view.known_noise(benchmark), view.quantiles);
  const double calibrated = view.calibrated(benchmark);
  if (out.verdict == Verdict::unchanged && is_undetectable(out, policy, calibrated)) out.verdict = Verdict::undecided;
  const Stop stop{
      .given = static_cast<int>(pairs.size()),
      .finished = sequence.finished,
      .recorded = suite.recorded,
      .sign = noise_sign(std::span(pairs).first(static_cast<std::size_t>(out.pairs)), view.known_noise(benchmark)),
      .calibrated = calibrated};
  if (suite.recorded && pairs.size() == 1)
    fill_repetition_figures(out, only_samples(suite, benchmark, Side::base),
                            only_samples(suite, benchmark, Side::head));
  out.reason = reason_of(out, policy, stop);
  if (!suite.unproven.empty() && (out.verdict == Verdict::regressed || out.verdict == Verdict::improved)) {
    out.verdict = Verdict::undecided;
    out.severity = Severity::none;
    out.reason = suite.unproven + ": " + out.reason;
  }
  if (alone) out.reason += "; not cleared by the stored baseline: " + shift_text(*alone);
  if (round == 1 && out.verdict == Verdict::suspected) {
    out.verdict = Verdict::undecided;
    out.reason = "suspected twice: " + out.reason;
  } else if (round == 1) {
    out.reason = "rerun of a suspected benchmark: " + out.reason;
  }
  return out;
}

void add_error_growth(const SuiteEvidence& suite, const Policy& policy, std::vector<Comparison>& out) {
  if (policy.error_growth_action != OnFinding::fail) return;
  for (const ErrorGrowth& growth : error_growths(suite, policy))
    out.push_back(plain(suite, growth.name, Verdict::broken,
                        fmt::format("the numerical error grew x{:.3g}, from {:.3g} to {:.3g}", growth.factor,
                                    growth.base, growth.head)));
}

}  // namespace

std::vector<Comparison> decide_suite(const SuiteEvidence& suite, const Policy& policy,
                                     std::span<const StoredVariance> stored) {
  std::vector<Comparison> out;
  if (!suite.checks_passed) {  // a wrong kernel is never timed
    for (const CaseFailure& failure : check_failures(suite)) out.push_back(of_failure(suite, failure));
    return out;
  }
  SuiteView view(suite, policy, stored);
  for (const CaseFailure& failure : view.failed) out.push_back(of_failure(suite, failure));
  add_error_growth(suite, policy, out);
  for (const std::string& benchmark : view.timed) {
    if (suite.identical)
      out.push_back(plain(suite, benchmark, Verdict::identical,
                          "executable, libraries, arguments and inputs are the same: not timed"));
    else
      out.push_back(judge_timed(view, benchmark));
    if (!suite.identical) add_device_clock(view, out.back());
  }
  for (const auto& [benchmark, reason] : view.unjudgeable)
    out.push_back(plain(suite, benchmark, Verdict::undecided, reason));
  for (const std::string& benchmark : view.missing)
    out.push_back(plain(suite, benchmark, Verdict::missing, "in base, not in head"));
  for (const std::string& benchmark : view.added)
    out.push_back(plain(suite, benchmark, Verdict::added, "in head, not in base"));
  fill_q_values(out);
  fill_distribution_changes(suite, out);
  add_code_changes(suite, out);
  add_counter_changes(suite, out);
  add_attribution(suite, out);
  add_error_factors(suite, policy, out);
  return out;
}

}  // namespace kernelgate
