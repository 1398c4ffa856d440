// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "core/decision/decide.hpp"
#include "core/decision/explain/acknowledged.hpp"
#include "core/decision/explain/distribution.hpp"
#include "core/decision/explain/notices.hpp"
#include "core/decision/explain/quarantined.hpp"
#include "core/decision/explain/roofline.hpp"
#include "core/decision/explain/workloads.hpp"
#include "core/decision/rule/figures.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/decision/rule/mwu_cliff.hpp"
#include "core/decision/stored_comparison.hpp"

namespace kernelgate {
namespace {

bool has(const std::vector<Comparison>& comparisons, std::initializer_list<Verdict> verdicts) {
  return std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& comparison) {
    return std::find(verdicts.begin(), verdicts.end(), comparison.verdict) != verdicts.end();
  });
}

bool all_are(const std::vector<Comparison>& comparisons, Verdict verdict) {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [&](const Comparison& comparison) { return comparison.verdict == verdict; });
}

// A slowdown on the device that the host's time is proven not to feel.
bool is_not_felt(const Comparison& comparison) {
  return comparison.clock == ClockKind::device && comparison.ratio_high &&
         *comparison.ratio_high < 1 + comparison.catch_limit;
}

// A regression that fails the run, small and missing ones by policy.
bool fails_as_regressed(const Comparison& comparison, const Policy& policy) {
  const Policy own = for_benchmark(policy, comparison.benchmark);
  if (comparison.verdict == Verdict::missing) return own.missing == OnFinding::fail;
  if (comparison.verdict != Verdict::regressed || !comparison.acknowledged.empty()) return false;
  if (is_not_felt(comparison)) return own.not_felt == OnFinding::fail;
  return comparison.severity != Severity::small || own.small == OnFinding::fail;
}

bool is_timed(const Comparison& comparison) {
  return comparison.pairs > 0 || (comparison.device && comparison.device->pairs > 0) ||
         (comparison.against == Against::stored && comparison.ratio);
}

std::string warned_text(const std::vector<Comparison>& comparisons) {
  const bool all_felt = std::none_of(comparisons.begin(), comparisons.end(), [](const Comparison& comparison) {
    return comparison.verdict == Verdict::regressed && is_not_felt(comparison);
  });
  return all_felt ? "slower than is tolerated, but proven below the catch limit: the policy warns"
                  : "slower on the device, and the host's time is proven not to feel it: the policy warns";
}

struct Outcome {
  Conclusion conclusion = Conclusion::infrastructure;
  std::string reason;
};

Outcome untimed_outcome(const RunEvidence& evidence, const std::vector<Comparison>& comparisons) {
  if (!comparisons.empty() && !evidence.has_base && all_are(comparisons, Verdict::added))
    return {Conclusion::passed, "no_base"};
  if (!comparisons.empty() && all_are(comparisons, Verdict::identical))
    return {Conclusion::passed, "nothing_to_measure"};
  if (evidence.base_build == BuildEnd::failed) return {Conclusion::infrastructure, "base does not build"};
  return {Conclusion::infrastructure, "nothing was timed"};
}

// The first that applies, in the order of docs/GLOSSARY.md.
Outcome conclude(const RunEvidence& evidence, const Policy& policy, const std::vector<Comparison>& all) {
  const std::vector<Comparison> comparisons = deciding(all);
  if (has(comparisons, {Verdict::broken, Verdict::crashed, Verdict::timed_out, Verdict::invalid}))
    return {Conclusion::broken, "a kernel is wrong or does not run to its end"};
  if (std::any_of(comparisons.begin(), comparisons.end(),
                  [&](const Comparison& comparison) { return fails_as_regressed(comparison, policy); }))
    return {Conclusion::regressed, "slower than base beyond what is tolerated"};
  if (!evidence.infrastructure.empty()) return {Conclusion::infrastructure, evidence.infrastructure};
  if (std::none_of(all.begin(), all.end(), is_timed)) return untimed_outcome(evidence, all);
  if (has(comparisons, {Verdict::undecided, Verdict::suspected}))
    return {Conclusion::undecided, "not every benchmark could be decided"};
  if (std::any_of(comparisons.begin(), comparisons.end(),
                  [](const Comparison& comparison) { return !comparison.acknowledged.empty(); }))
    return {Conclusion::passed, "slower than is tolerated, and acknowledged"};
  if (has(comparisons, {Verdict::regressed})) return {Conclusion::passed, warned_text(comparisons)};
  if (comparisons.size() < all.size())
    return {Conclusion::passed, "within what is tolerated, but for what is quarantined"};
  return {Conclusion::passed, "within what is tolerated"};
}

// The alarms to expect if every timed benchmark were truly slower by exactly what is tolerated: a
// union bound.
double expected_alarms(const RunEvidence& evidence, const Policy& policy, const std::vector<Comparison>& comparisons) {
  double sum = 0;
  for (const SuiteEvidence& suite : evidence.suites) {
    std::size_t timed = 0, looks = 0;
    for (const Comparison& comparison : comparisons) {
      if (comparison.suite != suite.name || !is_timed(comparison) || !comparison.quarantined.empty()) continue;
      // A stored baseline that only warns raises no alarm, one that fails looks once.
      if (comparison.against == Against::stored && (suite.has_base || policy.stored == OnFinding::warn)) continue;
      if (comparison.against == Against::stored) looks += 1;
      timed += 1;
      looks += policy.rule == Rule::mwu_cliff ? 0 : comparison.looks.size();
      if (comparison.device) looks += static_cast<std::size_t>(comparison.device->looks);
    }
    sum += policy.rule == Rule::mwu_cliff ? kMwuAlpha / 2 * static_cast<double>(timed)
                                          : band_of(policy, timed).alarm_tail * static_cast<double>(looks);
  }
  return sum;
}

// The measured error rates of what gave the verdicts, where it is not the rule in pairs.
std::vector<const char*> rates_of(const Policy& policy, const std::vector<Comparison>& comparisons) {
  const bool ranks = policy.rule == Rule::mwu_cliff;
  std::vector<const char*> out;
  if (ranks) out.push_back(kMwuCliffRates);
  if (std::any_of(comparisons.begin(), comparisons.end(),
                  [](const Comparison& comparison) { return comparison.against == Against::stored; }))
    out.push_back(ranks ? kMwuCliffStoredRates : kStoredRates);
  return out;
}

RunDecision without_comparisons(RunDecision out, Conclusion conclusion, std::string reason, std::string summary) {
  out.conclusion = conclusion;
  out.reason = std::move(reason);
  out.summary = std::move(summary);
  return out;
}

}  // namespace

RunDecision decide_run(const RunEvidence& evidence, const Policy& policy, std::span<const StoredVariance> stored) {
  RunDecision out;
  out.notices = evidence.notices;
  if (evidence.head_build == BuildEnd::failed)
    return without_comparisons(std::move(out), Conclusion::build_failed, "head does not build",
                               "head does not build" + telling_line(evidence.build_text));
  if (evidence.inputs_unchanged && evidence.infrastructure.empty())
    return without_comparisons(std::move(out), Conclusion::passed, "nothing_to_measure",
                               "base and head have the same inputs: nothing to measure");
  for (const SuiteEvidence& suite : evidence.suites) {
    std::vector<Comparison> comparisons = decide_suite(suite, policy, stored);
    if (evidence.ceilings) compare_with_roofs(suite, *evidence.ceilings, comparisons);
    acknowledge(evidence.acknowledged, policy, comparisons, out.notices);
    set_aside(evidence.quarantined, comparisons, out.notices);
    add_notices(suite, policy, comparisons, out.notices);
    add_stored_notices(suite, policy, stored, comparisons, out.notices);
    add_regions(suite, comparisons, out);
    add_distribution_notices(suite, comparisons, out.notices);
    std::move(comparisons.begin(), comparisons.end(), std::back_inserter(out.comparisons));
  }
  for (const char* text : rates_of(policy, out.comparisons)) out.notices.emplace_back(text);
  fill_q_values(out.comparisons);
  out.workloads = judge_workloads(out.comparisons, policy);
  for (const Workload& workload : policy.workloads)
    if (!out.comparisons.empty() && std::none_of(out.workloads.begin(), out.workloads.end(),
                                                 [&](const auto& judged) { return judged.name == workload.name; }))
      out.notices.push_back("workload " + workload.name + " matches no benchmark of this run");
  Outcome outcome = conclude(evidence, policy, out.comparisons);
  out.conclusion = outcome.conclusion;
  out.reason = std::move(outcome.reason);
  out.summary = summary_of(out);
  out.expected_false_alarms = expected_alarms(evidence, policy, out.comparisons);
  return out;
}

}  // namespace kernelgate
