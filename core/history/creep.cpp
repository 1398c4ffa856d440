// SPDX-License-Identifier: Apache-2.0
#include "core/history/creep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/stats/distributions.hpp"

namespace kernelgate::history {
namespace {

struct Fit {
  std::size_t start = 0;
  double slope = 0;
  double residual = 0;  // sum of squares left over
  double sxx = 0;       // of the regressor about its mean
};

// Least squares of y on max(0, i - start), for every start, from the end of the history backwards.
std::optional<Fit> best_hinge(std::span<const double> y, std::size_t min_points) {
  const auto n = static_cast<double>(y.size());
  double mean = 0;
  for (double value : y) mean += value / n;
  double syy = 0;
  for (double value : y) syy += (value - mean) * (value - mean);

  std::optional<Fit> best;
  double tail = 0, ramp_y = 0, count = 0, ramp = 0, ramp_squares = 0;
  for (std::size_t start = y.size() - 1; start-- > 0;) {
    // Every point behind `start` moves one further up the ramp.
    tail += y[start + 1] - mean;
    ramp_y += tail;
    count += 1;
    ramp_squares += 2 * ramp + count;
    ramp += count;
    if (count < static_cast<double>(min_points)) continue;
    const double sxx = ramp_squares - ramp * ramp / n;
    const double slope = ramp_y / sxx;
    const double residual = std::max(0.0, syy - slope * ramp_y);
    if (!best || residual < best->residual) best = Fit{start, slope, residual, sxx};
  }
  return best;
}

// What is left over by the best single step.
double best_step_residual(std::span<const double> y) {
  const auto n = static_cast<double>(y.size());
  double mean = 0;
  for (double value : y) mean += value / n;
  double syy = 0;
  for (double value : y) syy += (value - mean) * (value - mean);
  double least = syy, left = 0;
  for (std::size_t k = 1; k < y.size(); ++k) {
    left += y[k - 1] - mean;
    const auto a = static_cast<double>(k);
    least = std::min(least, syy - left * left * n / (a * (n - a)));
  }
  return std::max(0.0, least);
}

}  // namespace

Result<std::optional<Creep>> find_creep(std::span<const double> log_times, const CreepOptions& options) {
  for (std::size_t i = 0; i < log_times.size(); ++i)
    if (!std::isfinite(log_times[i])) return fail(Errc::invalid, "not a finite number", "point " + std::to_string(i));
  const std::size_t n = log_times.size();
  if (n < options.min_points + 1) return std::optional<Creep>{};
  const auto fit = best_hinge(log_times, options.min_points);
  if (!fit) return std::optional<Creep>{};

  const double degrees = static_cast<double>(n) - 3;  // level, slope, start
  // A history without any noise has nothing left over; a billionth of the rise keeps the quotient finite.
  const double rise = fit->slope * static_cast<double>(n - 1 - fit->start);
  const double noise = std::max(std::sqrt(fit->residual / degrees), 1e-9 * std::abs(rise));
  if (noise <= 0 || std::abs(rise) <= std::log1p(options.tolerate)) return std::optional<Creep>{};
  const double t = std::abs(fit->slope) * std::sqrt(fit->sxx) / noise;
  const double p = std::min(1.0, 2 * stats::t_upper_tail(t, degrees) * static_cast<double>(n));
  if (p > options.alpha || fit->residual >= best_step_residual(log_times)) return std::optional<Creep>{};
  return std::optional<Creep>{Creep{fit->start, std::exp(rise), std::exp(fit->slope), p}};
}

}  // namespace kernelgate::history
