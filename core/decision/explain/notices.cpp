// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/notices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>

#include "core/decision/explain/checks.hpp"
#include "core/decision/explain/quarantined.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/decision/explain/regions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kSharedShiftFrom = 3;  // benchmarks: the median of two is no pattern
constexpr double kSharedShift = 0.01;
constexpr double kErrorSaid = 2;  // factor of the numerical error that is said beside the speed

// "suite: ", or nothing where the suite has no name (files given to compare).
std::string prefix(const SuiteEvidence& suite) { return suite.name.empty() ? "" : suite.name + ": "; }

// Said only where the median moved and at least half of the benchmarks are themselves distinguished from none, so that
// noise alone does not say it. Pairs cancel the environment; a stored baseline does not.
std::string shared_shift(const SuiteEvidence& suite, const Policy& policy, const std::vector<Comparison>& comparisons,
                         Against against) {
  std::vector<double> shifts;
  std::size_t slower = 0, faster = 0;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.ratio || comparison.against != against) continue;
    shifts.push_back(std::log(*comparison.ratio));
    slower += comparison.ratio_low.value_or(0) > 1 ? 1 : 0;
    faster += comparison.ratio_high.value_or(2) < 1 ? 1 : 0;
  }
  if (shifts.size() < kSharedShiftFrom) return {};
  const double shift = stats::median(shifts).value();
  if (std::abs(shift) <= std::log1p(std::max(kSharedShift, policy.tolerate))) return {};
  if (2 * (shift > 0 ? slower : faster) < shifts.size()) return {};
  return fmt::format("{}the median of {} benchmarks moved by {}: {}", prefix(suite), shifts.size(),
                     percent(std::exp(shift)),
                     against == Against::pairs ? "shared code or build" : "environment or shared code");
}

std::string missing_text(const SuiteEvidence& suite, const std::vector<Comparison>& comparisons) {
  std::size_t count = 0;
  std::string names;
  for (const Comparison& comparison : comparisons) {
    if (comparison.verdict != Verdict::missing) continue;
    if (count < kNamesShown) names += (count == 0 ? "" : ", ") + comparison.benchmark;
    count += 1;
  }
  if (count == 0) return {};
  if (count > kNamesShown) names += " …";
  return fmt::format("{}{} of base's benchmarks {} missing in head: {}", prefix(suite), count,
                     count == 1 ? "is" : "are", names);
}

std::string growth_text(const SuiteEvidence& suite, const Policy& policy) {
  const std::vector<ErrorGrowth> growths = error_growths(suite, policy);
  if (growths.empty()) return {};
  const ErrorGrowth& worst = growths.front();
  return fmt::format("{}the numerical error grew x{:.3g} ({:.3g} to {:.3g}) in check {}{}", prefix(suite), worst.factor,
                     worst.base, worst.head, worst.name,
                     growths.size() == 1 ? "" : fmt::format(" and in {} more", growths.size() - 1));
}

std::string disturbed_text(const SuiteEvidence& suite) {
  std::map<std::tuple<int, int, Side>, const Process*> kept;  // the highest attempt of each
  for (const Process& process : suite.processes) {
    const Process*& entry = kept[{process.round, process.pair, process.side}];
    if (!entry || process.attempt >= entry->attempt) entry = &process;
  }
  const auto disturbed =
      std::count_if(kept.begin(), kept.end(), [](const auto& entry) { return entry.second->disturbed; });
  if (disturbed == 0) return {};
  return fmt::format("{}{} of {} processes were disturbed and are kept", prefix(suite), disturbed, kept.size());
}

// The one to name of a verdict: the largest slowdown or speed-up, else the first.
const Comparison* most_telling(const std::vector<Comparison>& comparisons, Verdict verdict) {
  const Comparison* out = nullptr;
  const auto size = [](const Comparison& c) { return std::abs(std::log(c.ratio.value_or(1))); };
  for (const Comparison& comparison : comparisons)
    if (comparison.verdict == verdict && (!out || size(comparison) > size(*out))) out = &comparison;
  return out;
}

}  // namespace

void add_notices(const SuiteEvidence& suite, const Policy& policy, const std::vector<Comparison>& comparisons,
                 std::vector<std::string>& notices) {
  for (std::string text : {shared_shift(suite, policy, comparisons, Against::pairs),
                           shared_shift(suite, policy, comparisons, Against::stored), missing_text(suite, comparisons),
                           growth_text(suite, policy), disturbed_text(suite)})
    if (!text.empty()) notices.push_back(std::move(text));
}

void add_regions(const SuiteEvidence& suite, const std::vector<Comparison>& comparisons, RunDecision& out) {
  for (Verdict verdict : {Verdict::regressed, Verdict::improved})
    for (RegionResult& region : find_regions(comparisons, verdict)) {
      out.notices.push_back(prefix(suite) + region_text(region));
      out.regions.push_back(std::move(region));
    }
}

std::string summary_of(const RunDecision& decision) {
  if (decision.comparisons.empty()) return decision.reason;
  const std::vector<Comparison> comparisons = deciding(decision.comparisons);
  std::string out;
  for (Verdict verdict : kReadingOrder) {
    const auto count = std::count_if(comparisons.begin(), comparisons.end(),
                                     [&](const Comparison& c) { return c.verdict == verdict; });
    if (count == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, to_string(verdict));
    const auto alone = std::count_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) {
      return c.verdict == Verdict::unchanged && c.clock == ClockKind::device;
    });
    if (verdict == Verdict::unchanged && alone > 0) out += fmt::format(" ({} on the device alone)", alone);
    if (verdict >= Verdict::missing || verdict == Verdict::unchanged) continue;
    const Comparison& telling = *most_telling(comparisons, verdict);
    const bool less_exact = telling.error_factor.value_or(0) >= kErrorSaid;
    const std::optional<double> ratio = telling.clock == ClockKind::device ? telling.device->ratio : telling.ratio;
    out += fmt::format(" ({}{}{}{})", telling.benchmark, ratio ? " " + percent(*ratio) : "",
                       telling.clock == ClockKind::device ? " on the device" : "",
                       less_exact ? fmt::format(", error x{:.3g}", *telling.error_factor) : "");
  }
  if (const auto aside = decision.comparisons.size() - comparisons.size(); aside > 0)
    out += fmt::format("{}{} quarantined", out.empty() ? "" : ", ", aside);
  if (decision.conclusion == Conclusion::infrastructure) return decision.reason + "; " + out;
  return out;
}

std::string telling_line(std::string_view text) {
  std::size_t at = text.find("error: ");
  if (at == std::string_view::npos) at = text.find_last_not_of("\n\r ");
  if (at == std::string_view::npos) return {};
  const std::size_t before = text.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view line = text.substr(begin, text.find_first_of("\n\r", at) - begin);
  return ": " + std::string(line.substr(0, line.find_last_not_of(' ') + 1));
}

}  // namespace kernelgate
