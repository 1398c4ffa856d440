// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/distribution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "core/decision/evidence/pairs.hpp"
#include "core/shape/shape.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kNamed = 3;

// Log times by benchmark, then by process; of a redone process the last attempt.
using BySide = std::pair<std::vector<shape::ProcessSamples>, std::vector<shape::ProcessSamples>>;

std::map<std::pair<std::string, int>, BySide> samples_by_benchmark(const SuiteEvidence& suite) {
  std::map<std::tuple<std::string, int, int, Side>, std::pair<int, const Series*>> last;
  for (const Process& process : suite.processes)
    for (const Series& series : process.series) {
      if (!is_usable(series)) continue;
      auto& entry = last[{series.benchmark, process.round, process.pair, process.side}];
      if (!entry.second || process.attempt >= entry.first) entry = {process.attempt, &series};
    }
  std::map<std::pair<std::string, int>, BySide> out;
  for (const auto& [key, entry] : last) {
    const auto& [benchmark, round, pair, side] = key;
    BySide& both = out[{benchmark, round}];
    shape::ProcessSamples logs;
    for (double x : entry.second->samples_ns) logs.push_back(std::log(x));
    (side == Side::base ? both.first : both.second).push_back(std::move(logs));
  }
  return out;
}

std::string text_of(const std::string& benchmark, const DistributionChange& change) {
  const std::string shares =
      fmt::format("{:.0f} % of base but {:.0f} % of head samples", 100 * change.base_share, 100 * change.head_share);
  if (change.kind == "tail")
    return fmt::format("{}: tail changed: {} are {:.3g} % or more above the median", benchmark, shares,
                       100 * change.distance);
  return fmt::format("{}: bimodal: {} are in the slow mode, {:.3g} % above the fast one", benchmark, shares,
                     100 * change.distance);
}

}  // namespace

void fill_distribution_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons) {
  const auto samples = samples_by_benchmark(suite);
  for (Comparison& comparison : comparisons) {
    const auto entry = samples.find({comparison.benchmark, comparison.round});
    if (comparison.pairs == 0 || entry == samples.end()) continue;
    const auto found = shape::find_change(entry->second.first, entry->second.second);
    if (!found || !*found) continue;
    const shape::Finding& finding = **found;
    comparison.distribution = DistributionChange{.kind = std::string(shape::to_string(finding.kind)),
                                                 .base_share = finding.base_share,
                                                 .head_share = finding.head_share,
                                                 .distance = finding.distance,
                                                 .p = finding.p,
                                                 .low_ns = std::exp(finding.histogram.low),
                                                 .high_ns = std::exp(finding.histogram.high),
                                                 .base_counts = finding.histogram.base,
                                                 .head_counts = finding.histogram.head};
  }
}

void add_distribution_notices(const SuiteEvidence& suite, const std::vector<Comparison>& comparisons,
                              std::vector<std::string>& notices) {
  std::size_t count = 0;
  const std::string prefix = suite.name.empty() ? "" : suite.name + ": ";
  for (const Comparison& comparison : comparisons) {
    if (!comparison.distribution) continue;
    if (++count <= kNamed) notices.push_back(prefix + text_of(comparison.benchmark, *comparison.distribution));
  }
  if (count > kNamed)
    notices.push_back(fmt::format("{}the distribution of {} more benchmarks changed", prefix, count - kNamed));
}

}  // namespace kernelgate
