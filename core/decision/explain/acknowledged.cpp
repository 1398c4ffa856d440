// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/acknowledged.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/decision/explain/reason.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {
namespace {

bool holds(const Acknowledgement& accepted, const Comparison& comparison, const Policy& policy) {
  const double room = band_of(for_benchmark(policy, comparison.benchmark), 1).suspect;
  const auto within = [room](double now, double then) { return then > 0 && std::log(now / then) <= room; };
  return within(*comparison.ratio, accepted.ratio) && within(*comparison.head_median_ns, accepted.head_median_ns);
}

std::string name_of(const Comparison& comparison) {
  return (comparison.suite.empty() ? "" : comparison.suite + ": ") + comparison.benchmark;
}

}  // namespace

void acknowledge(std::span<const Acknowledgement> accepted, const Policy& policy, std::vector<Comparison>& comparisons,
                 std::vector<std::string>& notices) {
  for (Comparison& comparison : comparisons) {
    if (comparison.verdict != Verdict::regressed || !comparison.ratio || !comparison.head_median_ns) continue;
    const Acknowledgement* beyond = nullptr;
    for (const Acknowledgement& entry : accepted) {
      if (entry.suite != comparison.suite || entry.benchmark != comparison.benchmark) continue;
      if (!holds(entry, comparison, policy)) {
        beyond = &entry;
        continue;
      }
      comparison.acknowledged = fmt::format("{}: {}", entry.actor, entry.reason);
      break;
    }
    const std::string now = name_of(comparison) + " " + percent(*comparison.ratio);
    if (!comparison.acknowledged.empty())
      notices.push_back(fmt::format("{} is acknowledged by {}", now, comparison.acknowledged));
    else if (beyond)
      notices.push_back(
          fmt::format("{} is beyond the {} that {} accepted", now, percent(beyond->ratio), beyond->actor));
  }
}

}  // namespace kernelgate
