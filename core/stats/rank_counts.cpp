// SPDX-License-Identifier: Apache-2.0
#include "core/stats/rank_counts.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <utility>

namespace kernelgate::stats {

std::vector<double> choice_sum_distribution(std::span<const std::int64_t> weights, int chosen) {
  assert(chosen >= 0 && static_cast<std::size_t>(chosen) <= weights.size());
  const auto rows = static_cast<std::size_t>(chosen) + 1;
  std::vector<std::int64_t> largest(weights.begin(), weights.end());
  std::sort(largest.rbegin(), largest.rend());
  const auto reach =
      static_cast<std::size_t>(std::accumulate(largest.begin(), largest.begin() + chosen, std::int64_t{0}));
  // ways[k][s]: in how many ways k of the weights seen so far have the sum s. Counts beyond 2^53
  // round, but as sums of positive terms they keep their leading digits.
  std::vector<std::vector<double>> ways(rows, std::vector<double>(reach + 1, 0.0));
  ways[0][0] = 1;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<std::size_t>(weights[i]);
    seen = std::min(seen + weight, reach);
    for (std::size_t k = std::min(i + 1, rows - 1); k > 0; --k) {
      double* to = ways[k].data();
      const double* from = ways[k - 1].data();
      for (std::size_t s = weight; s <= seen; ++s) to[s] += from[s - weight];
    }
  }
  std::vector<double> out = std::move(ways[rows - 1]);
  const double all = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& p : out) p /= all;
  return out;
}

std::vector<double> mann_whitney_distribution(int m, int n) {
  assert(m > 0 && n > 0);
  if (m > n) std::swap(m, n);  // the distribution is the same, and the loop runs over the smaller
  const auto size = static_cast<std::size_t>(m) * static_cast<std::size_t>(n) + 1;
  const std::size_t half = (size + 1) / 2;
  // Gaussian binomial: the product over i = 1…m of (1 - q^(n+i)) / (1 - q^i). A coefficient depends
  // on lower ones only and they grow up to the middle, so the lower half keeps its digits; the
  // upper half is its mirror.
  std::vector<double> counts(size, 0.0);
  counts[0] = 1;
  for (int i = 1; i <= m; ++i) {
    const auto up = static_cast<std::size_t>(n + i), down = static_cast<std::size_t>(i);
    for (std::size_t s = half; s-- > up;) counts[s] -= counts[s - up];
    for (std::size_t s = down; s < half; ++s) counts[s] += counts[s - down];
  }
  for (std::size_t s = half; s < size; ++s) counts[s] = counts[size - 1 - s];
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& p : counts) p /= all;
  return counts;
}

std::vector<double> signed_rank_distribution(int n) {
  assert(n > 0);
  // Each rank is added or not, with equal chances.
  std::vector<double> out(static_cast<std::size_t>(n) * (static_cast<std::size_t>(n) + 1) / 2 + 1, 0.0);
  out[0] = 1;
  std::size_t reach = 0;
  for (std::size_t rank = 1; rank <= static_cast<std::size_t>(n); ++rank) {
    reach += rank;
    for (std::size_t s = reach + 1; s-- > 0;) out[s] = 0.5 * out[s] + (s >= rank ? 0.5 * out[s - rank] : 0.0);
  }
  return out;
}

std::int64_t discrete_quantile(std::span<const double> distribution, double p) {
  double sum = 0;
  for (std::size_t x = 0; x < distribution.size(); ++x) {
    sum += distribution[x];
    if (sum >= p) return static_cast<std::int64_t>(x);
  }
  return static_cast<std::int64_t>(distribution.size()) - 1;
}

}  // namespace kernelgate::stats
