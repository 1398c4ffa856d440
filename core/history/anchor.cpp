// SPDX-License-Identifier: Apache-2.0
#include "core/history/anchor.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::history {
namespace {

constexpr double kTail = 0.005;              // of each side
constexpr double kEfficiencyOfMedian = 0.4;  // of a median of differences, as a share of degrees of freedom

// Spread of one point, from neighbouring differences: steps between levels do not widen it.
double spread_between(std::span<const double> log_times) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < log_times.size(); ++i) steps.push_back(std::abs(log_times[i] - log_times[i - 1]));
  return 1.4826 / std::sqrt(2.0) * stats::median(steps).value();
}

void set_interval(Anchored& out, double shift, double half_width) {
  out.low = std::exp(shift - half_width);
  out.high = std::exp(shift + half_width);
}

}  // namespace

std::string_view to_string(AnchorSpread spread) {
  switch (spread) {
    case AnchorSpread::none: return "none";
    case AnchorSpread::history: return "history";
    case AnchorSpread::sessions: return "sessions";
  }
  return "";
}

Result<Anchored> compare_with_level(std::span<const double> log_times, double level, std::span<const double> sessions) {
  if (auto good = stats::check_sample(log_times, "history"); !good) return pass_on(good);
  if (!std::isfinite(level)) return fail(Errc::invalid, "not a finite number", "level");
  Anchored out;
  if (sessions.size() >= static_cast<std::size_t>(kAnchorSessionsMin)) {
    const auto moments = stats::moments(sessions);
    if (!moments) return pass_on(moments);
    const double shift = log_times.back() - moments->mean, n = moments->count;
    out.ratio = std::exp(shift);
    out.spread = AnchorSpread::sessions;
    out.count = moments->count;
    set_interval(out, shift, stats::t_quantile(1 - kTail, n - 1) * std::sqrt(moments->variance * (1 + 1 / n)));
    return out;
  }
  const double shift = log_times.back() - level;
  out.ratio = std::exp(shift);
  if (log_times.size() < static_cast<std::size_t>(kAnchorPointsMin)) return out;
  const double degrees = kEfficiencyOfMedian * static_cast<double>(log_times.size() - 1);
  out.spread = AnchorSpread::history;
  out.count = static_cast<int>(log_times.size());
  set_interval(out, shift, stats::t_quantile(1 - kTail, degrees) * std::sqrt(2.0) * spread_between(log_times));
  return out;
}

}  // namespace kernelgate::history
