// SPDX-License-Identifier: Apache-2.0
#include "core/report/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/report/text.hpp"

namespace kernelgate::report {
namespace {

constexpr const char* kNone = "–";

std::string factor(double value) {
  const bool plain = value >= 0.01 && value < 100;
  return plain ? fmt::format("{:.3f}", value) : fmt::format("{:.3g}", value);
}

std::string probability(const char* name, double value) {
  if (value < 0.001) return fmt::format("{} <.001", name);
  return fmt::format("{} {:.3f}", name, value);
}

}  // namespace

std::string verdict_cell(const Comparison& c) {
  std::string out(to_string(c.verdict));
  if (c.verdict == Verdict::regressed && c.severity == Severity::small) out += ", small";
  if (c.clock == ClockKind::device) out += ", device";
  if (!c.acknowledged.empty()) out += ", acknowledged";
  if (!c.quarantined.empty()) out += ", quarantined";
  return out;
}

std::string direction_cell(const Comparison& c) {
  if (!c.ratio || !c.ratio_low || !c.ratio_high) return kNone;
  if (*c.ratio_low > 1) return "slower";
  if (*c.ratio_high < 1) return "faster";
  return kNone;
}

std::string ratio_cell(const Comparison& c) {
  if (!c.ratio || !std::isfinite(*c.ratio)) return kNone;
  if (!c.ratio_low || !c.ratio_high) return factor(*c.ratio);
  return fmt::format("{} [{}, {}]", factor(*c.ratio), factor(*c.ratio_low), factor(*c.ratio_high));
}

std::string significance_cell(const Comparison& c) {
  if (c.q_value) return probability("q", *c.q_value);
  if (c.mwu_p) return probability("p", *c.mwu_p);
  return c.pairs > 0 ? "n too small" : kNone;
}

std::string pairs_cell(const Comparison& c) {
  if (c.against == Against::stored && c.ratio) return "stored";
  return c.pairs > 0 ? std::to_string(c.pairs) : kNone;
}

std::string times_cell(const Comparison& c) {
  if (!c.base_median_ns && !c.head_median_ns) return {};
  const auto side = [](const std::optional<double>& ns) { return ns ? duration(*ns) : std::string(kNone); };
  return side(c.base_median_ns) + " → " + side(c.head_median_ns);
}

std::vector<std::string> kernel_lines(const Comparison& c, std::size_t most) {
  std::vector<std::string> out;
  if (!c.device || (c.verdict == Verdict::unchanged && c.clock != ClockKind::device)) return out;
  const auto side = [](const std::optional<double>& ns, double launches) {
    if (!ns) return std::string(kNone);
    return duration(*ns) + (launches == 1 ? "" : fmt::format(" × {:.3g}", launches));
  };
  for (const KernelComparison& kernel : c.device->kernels) {
    if (out.size() == most) {
      out.push_back(fmt::format("and {} more kernels", c.device->kernels.size() - most));
      break;
    }
    std::string line =
        fmt::format("{} {}: {} → {}", kernel.kernel, kernel.grid, side(kernel.base_ns, kernel.base_launches),
                    side(kernel.head_ns, kernel.head_launches));
    if (kernel.ratio) line += fmt::format(", {}", factor(*kernel.ratio));
    if (kernel.ratio_low && kernel.ratio_high)
      line += fmt::format(" [{}, {}]", factor(*kernel.ratio_low), factor(*kernel.ratio_high));
    if (kernel.verdict != Verdict::unchanged) line += fmt::format(", {}", to_string(kernel.verdict));
    out.push_back(std::move(line));
  }
  return out;
}

std::vector<Comparison> in_reading_order(std::vector<Comparison> comparisons) {
  std::stable_sort(comparisons.begin(), comparisons.end(), [](const Comparison& a, const Comparison& b) {
    return std::tuple(reading_rank(a.verdict), std::string_view(a.suite)) <
           std::tuple(reading_rank(b.verdict), std::string_view(b.suite));
  });
  return comparisons;
}

std::string counts_of(const std::vector<Comparison>& comparisons) {
  std::string out;
  for (const Verdict verdict : kReadingOrder) {
    const auto count = std::count_if(comparisons.begin(), comparisons.end(),
                                     [&](const Comparison& c) { return c.verdict == verdict; });
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, to_string(verdict));
  }
  return out.empty() ? "no benchmarks" : out;
}

std::string words_of(const RunDecision& decision) {
  if (!decision.summary.empty()) return decision.summary;
  std::string out = counts_of(decision.comparisons);
  if (!decision.reason.empty()) out += "; " + decision.reason;
  return out;
}

}  // namespace kernelgate::report
