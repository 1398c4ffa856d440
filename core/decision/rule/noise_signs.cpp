// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/noise_signs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr double kModeGap = 4;        // times any other distance between neighbours
constexpr std::size_t kModeSize = 2;  // processes of a side in each mode
constexpr double kClockShare = 0.5;   // of the variance seen

double mean_of_all(std::span<const double> values) { return stats::moments(values).value().mean; }

// The distance between two groups of one side's times; 0: they are one.
double mode_distance(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double widest = 0, next = 0;
  std::size_t at = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double gap = times[i] - times[i - 1];
    if (gap > widest) {
      next = widest;
      widest = gap;
      at = i;
    } else {
      next = std::max(next, gap);
    }
  }
  if (at < kModeSize || times.size() - at < kModeSize || widest < kModeGap * next) return 0;
  const std::span all(times);
  return mean_of_all(all.subspan(at)) - mean_of_all(all.first(at));
}

std::string modes_text(std::span<const PairTimes> pairs) {
  std::vector<double> base, head;
  for (const PairTimes& pair : pairs) {
    base.push_back(pair.base);
    head.push_back(pair.head);
  }
  const double apart = std::max(mode_distance(base), mode_distance(head));
  return apart == 0 ? std::string() : fmt::format("two modes {:.1f} % apart", 100 * std::expm1(apart));
}

// The processes in time, each about the mean of its side.
std::vector<double> in_time(std::span<const PairTimes> pairs) {
  double base = 0, head = 0;
  for (const PairTimes& pair : pairs) {
    base += pair.base / static_cast<double>(pairs.size());
    head += pair.head / static_cast<double>(pairs.size());
  }
  std::vector<double> out;
  for (const PairTimes& pair : pairs) {
    out.push_back(pair.head_first ? pair.head - head : pair.base - base);
    out.push_back(pair.head_first ? pair.base - base : pair.head - head);
  }
  return out;
}

// Fisher's test of the largest ordinate of the periodogram (Tests of significance in harmonic analysis, 1929).
std::string period_text(std::span<const PairTimes> pairs) {
  const std::vector<double> times = in_time(pairs);
  const auto n = static_cast<double>(times.size());
  double sum = 0, largest = 0, period = 0, ordinates = 0;
  for (int k = 1; 2 * k < static_cast<int>(times.size()); ++k) {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double angle = 2 * std::numbers::pi * k * static_cast<double>(i) / n;
      real += times[i] * std::cos(angle);
      imaginary += times[i] * std::sin(angle);
    }
    const double power = real * real + imaginary * imaginary;
    sum += power;
    ordinates += 1;
    if (power > largest) {
      largest = power;
      period = n / k;
    }
  }
  // The longest periods are drift, which the order of pairs takes care of.
  if (sum <= 0 || period > n / 3 || ordinates * std::pow(1 - largest / sum, ordinates - 1) > kSignTail) return {};
  return fmt::format("period of about {:.0f} processes", period);
}

std::string correlation_text(std::span<const double> d) {
  const double mean = mean_of_all(d);
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    squares += (d[i] - mean) * (d[i] - mean);
    if (i > 0) products += (d[i] - mean) * (d[i - 1] - mean);
  }
  const double limit = stats::normal_quantile(1 - kSignTail) / std::sqrt(static_cast<double>(d.size()));
  if (squares <= 0 || products / squares < limit) return {};
  return fmt::format("pairs are correlated ({:.2f})", products / squares);
}

}  // namespace

std::string noise_sign(std::span<const PairTimes> pairs, const KnownNoise& known) {
  if (pairs.size() < 2) return {};
  std::vector<double> d;
  for (const PairTimes& pair : pairs) d.push_back(pair.difference());
  const double variance = stats::moments(d).value().variance;
  if (known.clock > kClockShare * variance && known.clock > 0)
    return fmt::format("the clock's step is {:.1f} % of this kernel", 100 * std::sqrt(6 * known.clock));
  if (known.stored && known.stored->between * static_cast<double>(pairs.size()) > variance)
    return fmt::format("runs of unchanged code differ by {:.1f} %, more than their pairs explain",
                       100 * std::sqrt(known.stored->between));
  if (pairs.size() < kSignsFrom) return {};
  for (std::string text : {modes_text(pairs), period_text(pairs), correlation_text(d)})
    if (!text.empty()) return text;
  return {};
}

}  // namespace kernelgate
