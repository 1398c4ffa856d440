// SPDX-License-Identifier: Apache-2.0
#include "core/stats/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/rank_counts.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

// The pooled sample as midranks, doubled so that they are whole numbers.
struct Ranks {
  std::vector<std::int64_t> doubled;  // of every value, ascending
  std::int64_t second_doubled = 0;    // their sum over the second sample
  double tie_term = 0;                // sum of t^3 - t over groups of equal values
};

Ranks rank_both(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> pooled;
  pooled.reserve(first.size() + second.size());
  for (double value : first) pooled.emplace_back(value, false);
  for (double value : second) pooled.emplace_back(value, true);
  std::sort(pooled.begin(), pooled.end());
  Ranks out;
  out.doubled.resize(pooled.size());
  for (std::size_t i = 0; i < pooled.size();) {
    std::size_t end = i;
    while (end < pooled.size() && pooled[end].first == pooled[i].first) ++end;
    const auto midrank = static_cast<std::int64_t>(i + end + 1);  // 2 x mean of ranks i+1 … end
    for (std::size_t k = i; k < end; ++k) {
      out.doubled[k] = midrank;
      if (pooled[k].second) out.second_doubled += midrank;
    }
    const auto ties = static_cast<double>(end - i);
    out.tie_term += ties * ties * ties - ties;
    i = end;
  }
  return out;
}

// Step of the doubled rank sum: half of it is the continuity correction. Heavy ties make it larger
// than 2.
std::int64_t rank_step(const Ranks& ranks) {
  std::int64_t step = 0;
  for (std::int64_t rank : ranks.doubled) step = std::gcd(step, rank - ranks.doubled.front());
  return step;
}

double exact_p(const Ranks& ranks, std::int64_t m, std::int64_t n, double u) {
  std::vector<double> distribution;
  double centre = 0, observed = 0;
  if (ranks.tie_term == 0) {
    distribution = mann_whitney_distribution(static_cast<int>(m), static_cast<int>(n));
    centre = 0.5 * static_cast<double>(m * n);
    observed = u;
  } else {
    const std::int64_t lowest = ranks.doubled.front(), step = rank_step(ranks), chosen = std::min(m, n);
    std::vector<std::int64_t> weights;
    weights.reserve(ranks.doubled.size());
    for (std::int64_t rank : ranks.doubled) weights.push_back((rank - lowest) / step);
    distribution = choice_sum_distribution(weights, static_cast<int>(chosen));
    const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    centre = static_cast<double>(chosen * all) / static_cast<double>(m + n);
    const std::int64_t of_second = (ranks.second_doubled - n * lowest) / step;
    observed = static_cast<double>(n == chosen ? of_second : all - of_second);
  }
  const double distance = std::abs(observed - centre) - 1e-7;  // sums are whole numbers, centres may be rounded
  double p = 0;
  for (std::size_t s = 0; s < distribution.size(); ++s)
    if (std::abs(static_cast<double>(s) - centre) >= distance) p += distribution[s];
  return std::min(1.0, p);
}

// Upper tail of the normal with the fourth cumulant's Edgeworth term: at 51 a side it brings the
// largest error of p from 1.6e-3 to 1.3e-5. The cumulant is that of untied ranks.
double edgeworth_upper_tail(double z, double m, double n) {
  const double excess = -6 * (m * m + n * n + m * n + m + n) / (5 * m * n * (m + n + 1));
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return std::max(0.0, normal_upper_tail(z) + density * excess / 24 * (z * z * z - 3 * z));
}

double normal_p(const Ranks& ranks, double m, double n, double u) {
  const double both = m + n;
  const double variance = m * n / 12 * (both + 1 - ranks.tie_term / (both * (both - 1)));
  const double correction = 0.25 * static_cast<double>(rank_step(ranks));
  const double z = std::max(0.0, std::abs(u - m * n / 2) - correction) / std::sqrt(variance);
  return std::min(1.0, 2 * edgeworth_upper_tail(z, m, n));
}

}  // namespace

Result<MannWhitney> mann_whitney(std::span<const double> first, std::span<const double> second) {
  if (Status ok = check_sample(first, "first sample"); !ok) return pass_on(ok);
  if (Status ok = check_sample(second, "second sample"); !ok) return pass_on(ok);
  const auto m = static_cast<std::int64_t>(first.size()), n = static_cast<std::int64_t>(second.size());
  const Ranks ranks = rank_both(first, second);
  MannWhitney out;
  out.u = 0.5 * static_cast<double>(ranks.second_doubled - n * (n + 1));
  out.exact = std::min(m, n) * (m + n) <= kExactWork;
  if (ranks.doubled.front() == ranks.doubled.back()) return out;  // all equal: nothing to tell apart
  out.p =
      out.exact ? exact_p(ranks, m, n, out.u) : normal_p(ranks, static_cast<double>(m), static_cast<double>(n), out.u);
  return out;
}

}  // namespace kernelgate::stats
