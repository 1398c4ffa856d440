// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/quarantined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/decision/explain/reason.hpp"

namespace kernelgate {

void set_aside(std::span<const Quarantine> quarantined, std::vector<Comparison>& comparisons,
               std::vector<std::string>& notices) {
  for (Comparison& comparison : comparisons)
    for (const Quarantine& entry : quarantined) {
      if (entry.suite != comparison.suite || entry.benchmark != comparison.benchmark) continue;
      comparison.quarantined = fmt::format("{}: {}", entry.actor, entry.reason);
      if (is_set_aside(comparison))
        notices.push_back(fmt::format("{}: {} is {}{} and decides nothing: it is quarantined by {}", comparison.suite,
                                      comparison.benchmark, to_string(comparison.verdict),
                                      comparison.ratio ? " at " + percent(*comparison.ratio) : "",
                                      comparison.quarantined));
      break;
    }
}

bool is_set_aside(const Comparison& comparison) {
  const bool unstable = comparison.verdict == Verdict::regressed || comparison.verdict == Verdict::undecided ||
                        comparison.verdict == Verdict::suspected;
  return unstable && !comparison.quarantined.empty();
}

std::vector<Comparison> deciding(const std::vector<Comparison>& comparisons) {
  std::vector<Comparison> out;
  std::copy_if(comparisons.begin(), comparisons.end(), std::back_inserter(out),
               [](const Comparison& comparison) { return !is_set_aside(comparison); });
  return out;
}

}  // namespace kernelgate
