// SPDX-License-Identifier: Apache-2.0
#include "core/bisect/reading.hpp"

#include <algorithm>
#include <cmath>

namespace kernelgate::bisect {
namespace {

bool is_meant(const Target& target, const Comparison& comparison) {
  return (target.suite.empty() || comparison.suite == target.suite) &&
         (target.benchmark.empty() || comparison.benchmark == target.benchmark);
}

Reading unusable(std::string why) { return {.kind = ReadingKind::unusable, .why = std::move(why)}; }
Reading trouble(std::string why) { return {.kind = ReadingKind::trouble, .why = std::move(why)}; }
Reading same() { return {.kind = ReadingKind::same, .why = {}}; }

Reading timed(const Comparison& comparison) {
  if (comparison.verdict == Verdict::identical) return same();
  const bool has_interval = comparison.ratio && comparison.ratio_high && *comparison.ratio > 0;
  if (!has_interval) return unusable(std::string(to_string(comparison.verdict)) + ": " + comparison.reason);
  Reading out{.kind = ReadingKind::timed, .why = {}};
  out.mean = std::log(*comparison.ratio);
  out.half_width = std::log(*comparison.ratio_high / *comparison.ratio);
  out.slower = comparison.verdict == Verdict::regressed;
  out.settled = comparison.verdict == Verdict::unchanged || comparison.verdict == Verdict::improved;
  return out;
}

Reading read_failure(const Target& target, const RunEnd& run) {
  const auto fails = [&](const Comparison& c) { return is_meant(target, c) && is_failure(c.verdict); };
  const auto failure = std::find_if(run.comparisons.begin(), run.comparisons.end(), fails);
  if (failure != run.comparisons.end())
    return {.kind = ReadingKind::failing, .why = std::string(to_string(failure->verdict)) + ": " + failure->reason};
  if (*run.conclusion != Conclusion::broken) return same();
  const bool reached = std::any_of(run.comparisons.begin(), run.comparisons.end(), [&](const Comparison& c) {
    return !target.benchmark.empty() && is_meant(target, c) && c.verdict != Verdict::missing;
  });
  return reached ? same() : unusable("another failure: " + run.reason);
}

}  // namespace

Reading read_run(const Target& target, const RunEnd& run) {
  if (!run.conclusion) return trouble("the run was cancelled");
  if (*run.conclusion == Conclusion::infrastructure || *run.conclusion == Conclusion::cancelled)
    return trouble("infrastructure: " + run.reason);
  if (*run.conclusion == Conclusion::build_failed) return unusable("does not build");
  if (run.base != run.wanted) return trouble("it was compared with another base, " + run.base.substr(0, 10));
  if (run.comparisons.empty() && run.reason == "nothing_to_measure") return same();
  if (target.aim == Aim::broken) return read_failure(target, run);
  const auto found = std::find_if(run.comparisons.begin(), run.comparisons.end(),
                                  [&](const Comparison& c) { return is_meant(target, c); });
  if (found == run.comparisons.end()) return unusable("the benchmark was not timed: " + run.reason);
  return timed(*found);
}

}  // namespace kernelgate::bisect
