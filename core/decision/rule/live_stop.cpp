// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/live_stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/decision/rule/looks.hpp"

namespace kernelgate {

std::optional<int> live_pair(const Comparison& comparison, const Policy& policy) {
  if (comparison.pairs == 0) return std::nullopt;
  if (policy.rule == Rule::mwu_cliff)
    return comparison.pairs >= policy.max_pairs ? std::optional(policy.max_pairs) : std::nullopt;
  const std::vector<int> looks = look_schedule(policy.max_pairs, false);
  if (std::find(looks.begin(), looks.end(), comparison.pairs) == looks.end()) return std::nullopt;
  if (comparison.verdict == Verdict::suspected) return std::nullopt;
  if (comparison.verdict == Verdict::undecided && comparison.pairs < looks.back()) return std::nullopt;
  return comparison.pairs;
}

LiveStop live_stop(const RunDecision& decision, const Policy& policy, int given) {
  LiveStop out{.given = given, .once = policy.rule == Rule::mwu_cliff};
  out.most = out.once ? policy.max_pairs : look_schedule(policy.max_pairs, false).back();
  for (const Comparison& comparison : decision.comparisons) {
    if (comparison.pairs == 0) continue;
    const std::optional<int> stop = live_pair(comparison, policy);
    out.pairs = std::max(out.pairs, stop.value_or(given));
    out.open += stop ? 0 : 1;
  }
  return out;
}

std::string live_text(const LiveStop& live) {
  if (live.once && (live.pairs == 0 || live.given == live.most)) return {};
  if (live.once)
    return fmt::format("a live run of rule mwu_cliff judges once, with {} pairs: these are {}", live.most, live.given);
  if (live.open > 0 && live.given >= live.most)
    return fmt::format("a live run ends at {} pairs, the policy's most: {} benchmark{} had no verdict there", live.most,
                       live.open, live.open == 1 ? "" : "s");
  if (live.open > 0)
    return fmt::format("a live run would have gone on after these {} pairs: {} benchmark{} open", live.given, live.open,
                       live.open == 1 ? " is" : "s are");
  if (live.pairs == 0 || live.pairs == live.given) return {};
  return fmt::format("a live run would have stopped after pair {} of {}: {} processes, not {}", live.pairs, live.given,
                     live.processes(), 2 * live.given);
}

}  // namespace kernelgate
