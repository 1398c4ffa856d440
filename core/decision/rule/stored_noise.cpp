// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr double kOddTail = 0.01;     // a variance beyond this chance beside the median one is cut
constexpr int kSpreadFrom = 8;        // comparisons from which their differences are looked at
constexpr double kKeptShare = 0.8;    // of run means, the smallest: the others may be of commits that changed something
constexpr double kMeanOfKept = 0.44;  // of chi-square with one degree of freedom, that far
constexpr double kBetweenFrom = 9;    // over the root of their number: beyond chance (.003), more than pairs explain

double age_weight(const PastComparison& one) { return std::exp2(-std::max(0.0, one.age_days) / kStoredHalfLifeDays); }

double variance_of(const PastComparison& one) { return one.sum_squares / one.degrees; }

// The variance of the median comparison: each first divided by the median of its own distribution.
double middle_variance(std::span<const PastComparison> past) {
  std::vector<double> out;
  for (const PastComparison& one : past)
    out.push_back(variance_of(one) / std::pow(1 - 2.0 / (9 * one.degrees), 3));  // Wilson and Hilferty
  return stats::median(out).value();
}

// How many degrees of freedom a variance that differs from run to run is worth: the spread of log variances beyond that
// of chi-square (Smyth, Linear models and empirical Bayes methods, 2004), less its own standard error.
double degrees_between_runs(std::span<const PastComparison> past, double variance) {
  if (past.size() < static_cast<std::size_t>(kSpreadFrom) || variance <= 0)
    return std::numeric_limits<double>::infinity();
  double sum = 0, squares = 0, expected = 0;
  for (const PastComparison& one : past) {
    const double own = std::max(variance_of(one), 1e-4 * variance) / variance;
    const double z = std::log(own) - stats::digamma(0.5 * one.degrees) + std::log(0.5 * one.degrees);
    sum += z;
    squares += z * z;
    expected += stats::trigamma(0.5 * one.degrees);
  }
  const auto count = static_cast<double>(past.size());
  const double spread = (squares - sum * sum / count) / (count - 1);
  const double excess = spread - expected / count * (1 + std::sqrt(2 / (count - 1)));
  return excess <= 0 ? std::numeric_limits<double>::infinity() : 2 * stats::trigamma_inverse(excess);
}

// The variance of run means beyond what pairs explain; without the largest fifth, which may be of commits that
// changed something.
double between_runs(std::span<const PastComparison> past, double variance) {
  if (past.size() < static_cast<std::size_t>(kSpreadFrom) || variance <= 0) return 0;
  std::vector<double> squares, of_pairs;
  for (const PastComparison& one : past) {
    squares.push_back(one.mean * one.mean * one.pairs / variance);
    of_pairs.push_back(variance / one.pairs);
  }
  std::sort(squares.begin(), squares.end());
  const auto count = static_cast<double>(past.size());
  const auto kept = static_cast<std::ptrdiff_t>(kKeptShare * count);
  const double factor =
      std::accumulate(squares.begin(), squares.begin() + kept, 0.0) / (static_cast<double>(kept) * kMeanOfKept);
  return factor <= 1 + kBetweenFrom / std::sqrt(count) ? 0 : (factor - 1) * stats::median(of_pairs).value();
}

}  // namespace

std::optional<StoredVariance> stored_noise(std::span<const PastComparison> past) {
  std::vector<PastComparison> kept;
  StoredVariance out;
  for (const PastComparison& one : past) {
    if (one.degrees < 1 || kept.size() == static_cast<std::size_t>(kPastComparisons)) continue;
    kept.push_back(one);
    out.degrees += one.degrees;
  }
  if (out.degrees < kStoredDegrees) return std::nullopt;
  const double middle = middle_variance(kept);
  double sum = 0, weights = 0;
  for (PastComparison& one : kept) {
    if (middle > 0 && kept.size() > 2) {
      const double most = middle * stats::f_quantile(1 - kOddTail, one.degrees, std::max(1, out.degrees - one.degrees));
      one.sum_squares = std::min(one.sum_squares, most * one.degrees);
    }
    sum += age_weight(one) * one.sum_squares;
    weights += age_weight(one) * one.degrees;
  }
  out.variance = sum / weights;
  out.weight = std::min(weights, degrees_between_runs(kept, out.variance));
  out.between = between_runs(kept, out.variance);
  out.runs = static_cast<int>(kept.size());
  return out;
}

}  // namespace kernelgate
