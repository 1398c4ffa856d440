// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/reason.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/rule/figures.hpp"

namespace kernelgate {
namespace {

std::string pairs_text(const Comparison& comparison, const Stop& stop) {
  if (stop.given > comparison.pairs) return fmt::format("after {} of {} pairs", comparison.pairs, stop.given);
  return fmt::format("after {} pair{}", comparison.pairs, comparison.pairs == 1 ? "" : "s");
}

std::string estimate_text(const Comparison& comparison) {
  if (!comparison.ratio) return "no estimate";
  if (!comparison.ratio_low || !comparison.ratio_high) return percent(*comparison.ratio);
  return fmt::format("{} ({} to {})", percent(*comparison.ratio), percent(*comparison.ratio_low),
                     percent(*comparison.ratio_high));
}

// The interval leaves out every shift up to catch: whatever keeps such a benchmark open, it is no lack of resolution.
bool is_beyond_catch(const Comparison& comparison, const Policy& policy) {
  return comparison.ratio_low && comparison.ratio_high &&
         (*comparison.ratio_low > 1 + policy.catch_limit || *comparison.ratio_high < 1 / (1 + policy.catch_limit));
}

// "3 % is not detectable here: ", with what calibration found where that is the reason.
std::string undetectable_text(const Comparison& comparison, const Policy& policy, const Stop& stop) {
  const std::string text = fmt::format("{:.3g} % is not detectable here", 100 * policy.catch_limit);
  if (comparison.minimum_detectable.value_or(0) >= policy.catch_limit) return text + ": ";
  return fmt::format("{} (calibration: {:.3g} % at best): ", text, 100 * stop.calibrated);
}

std::string open_text(const Comparison& comparison, const Policy& policy, const Stop& stop) {
  if (!stop.finished)
    return fmt::format("{} {}: measuring stopped before the rule did", estimate_text(comparison),
                       pairs_text(comparison, stop));
  if (is_undetectable(comparison, policy, stop.calibrated) && !is_beyond_catch(comparison, policy))
    return undetectable_text(comparison, policy, stop) + estimate_text(comparison) + " " + pairs_text(comparison, stop);
  if (!comparison.ratio || !comparison.ratio_low || !comparison.ratio_high)
    return fmt::format("inconclusive {}: {}", pairs_text(comparison, stop), estimate_text(comparison));
  return fmt::format("{} {}; inconclusive: could be {} to {}", percent(*comparison.ratio), pairs_text(comparison, stop),
                     percent(*comparison.ratio_low), percent(*comparison.ratio_high));
}

std::string mwu_cliff_text(const Comparison& comparison, const Policy& policy, const Stop& stop) {
  if (comparison.pairs < kRankFiguresFrom)
    return fmt::format("n too small: {} processes a side, mwu_cliff needs {}", comparison.pairs, kRankFiguresFrom);
  const bool open = comparison.verdict == Verdict::undecided || comparison.verdict == Verdict::suspected;
  const bool undetectable = open && is_undetectable(comparison, policy, stop.calibrated);
  return (undetectable ? undetectable_text(comparison, policy, stop) : std::string()) +
         fmt::format("medians differ by {} {}: U p = {:.3g}, delta = {:.3g}, limit {:.3g} %",
                     percent(*comparison.head_median_ns / *comparison.base_median_ns), pairs_text(comparison, stop),
                     comparison.mwu_p.value_or(1), comparison.cliffs_delta.value_or(0), 100 * policy.catch_limit);
}

}  // namespace

bool is_undetectable(const Comparison& comparison, const Policy& policy, double calibrated) {
  return std::max(comparison.minimum_detectable.value_or(0), calibrated) >= policy.catch_limit;
}

std::string percent(double ratio) {
  if (ratio >= 10) return fmt::format("x{:.3g}", ratio);
  return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

std::string reason_of(const Comparison& comparison, const Policy& policy, const Stop& stop) {
  if (comparison.pairs == 0) return "no complete pair was measured";
  if (stop.recorded && stop.given == 1)
    return "one process a side: nothing can be decided; delta and U are those of its repetitions, "
           "which are not "
           "independent";
  if (policy.rule == Rule::mwu_cliff) return mwu_cliff_text(comparison, policy, stop);
  const std::string measured = estimate_text(comparison) + " " + pairs_text(comparison, stop);
  switch (comparison.verdict) {
    case Verdict::regressed:
      if (comparison.severity == Severity::small)
        return fmt::format("{}: proven slower by more than {:.3g} %, and by less than {:.3g} %", measured,
                           100 * policy.tolerate, 100 * policy.catch_limit);
      return fmt::format("{}: proven slower by more than {:.3g} %", measured, 100 * policy.tolerate);
    case Verdict::improved:
      return fmt::format("{}: proven faster by more than {:.3g} %", measured, 100 * policy.tolerate);
    case Verdict::unchanged: return fmt::format("{}: proven within {:.3g} %", measured, 100 * policy.catch_limit);
    default: return open_text(comparison, policy, stop) + (stop.sign.empty() ? "" : "; " + stop.sign);
  }
}

namespace {

std::string configurations_text(const Comparison& c) {
  const std::string &base = c.base_configuration, &head = c.head_configuration;
  if (base.empty() && head.empty()) return {};
  if (base == head) return "configuration " + head;
  return "configuration " + (base.empty() ? "none" : base) + " -> " + (head.empty() ? "none" : head);
}

}  // namespace

std::string evidence_text(const Comparison& c) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() || text.empty() ? "" : "; ") + text; };
  add(c.attribution.empty() ? configurations_text(c) : c.attribution);
  if (c.roof) add(fmt::format("{:.0f} % of the {} roof", 100 * c.roof->fraction, c.roof->roof));
  if (!c.code_changes.empty()) add("device code: " + fmt::format("{}", fmt::join(c.code_changes, "; ")));
  if (!c.counter_changes.empty()) add("counters: " + fmt::format("{}", fmt::join(c.counter_changes, "; ")));
  return out;
}

}  // namespace kernelgate
