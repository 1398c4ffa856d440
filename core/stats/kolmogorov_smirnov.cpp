// SPDX-License-Identifier: Apache-2.0
#include "core/stats/kolmogorov_smirnov.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

// The pooled sample as a walk: where it may be compared with the distance (after the last of equal values), and the
// largest |i·n - j·m| met there, i and j the values passed of either sample.
struct Walk {
  std::vector<bool> tie_ends;  // by number of values passed
  std::int64_t largest = 0;
};

Walk walk(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> pooled;
  pooled.reserve(first.size() + second.size());
  for (double value : first) pooled.emplace_back(value, false);
  for (double value : second) pooled.emplace_back(value, true);
  std::sort(pooled.begin(), pooled.end());
  const auto m = static_cast<std::int64_t>(first.size()), n = static_cast<std::int64_t>(second.size());
  Walk out;
  out.tie_ends.assign(pooled.size() + 1, false);
  std::int64_t i = 0, j = 0;
  for (std::size_t k = 0; k < pooled.size(); ++k) {
    (pooled[k].second ? j : i) += 1;
    if (k + 1 < pooled.size() && pooled[k + 1].first == pooled[k].first) continue;
    out.tie_ends[k + 1] = true;
    out.largest = std::max<std::int64_t>(out.largest, std::abs(i * n - j * m));
  }
  return out;
}

// Chance that a random walk stays below the distance: Schröer and Trenkler's recursion with ties. Cell (i, j) holds the
// share of paths to it that never reached the distance, scaled row by row so that nothing overflows.
double below_distance(const Walk& path, std::int64_t m, std::int64_t n) {
  std::vector<double> paths(static_cast<std::size_t>(n) + 1, 0.0);
  const auto reached = [&](std::int64_t i, std::int64_t j) {
    return path.tie_ends[static_cast<std::size_t>(i + j)] && std::abs(i * n - j * m) >= path.largest;
  };
  paths[0] = 1;
  for (std::int64_t j = 1; j <= n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    paths[at] = reached(0, j) ? 0 : paths[at - 1];
  }
  for (std::int64_t i = 1; i <= m; ++i) {
    const double scale = static_cast<double>(i) / static_cast<double>(i + n);
    paths[0] = reached(i, 0) ? 0 : scale * paths[0];
    for (std::int64_t j = 1; j <= n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      paths[at] = reached(i, j) ? 0 : scale * paths[at] + paths[at - 1];
    }
  }
  return paths[static_cast<std::size_t>(n)];
}

}  // namespace

Result<KolmogorovSmirnov> kolmogorov_smirnov(std::span<const double> first, std::span<const double> second) {
  if (Status ok = check_sample(first, "first sample"); !ok) return pass_on(ok);
  if (Status ok = check_sample(second, "second sample"); !ok) return pass_on(ok);
  const auto m = static_cast<std::int64_t>(first.size()), n = static_cast<std::int64_t>(second.size());
  const Walk path = walk(first, second);
  KolmogorovSmirnov out;
  out.distance = static_cast<double>(path.largest) / (static_cast<double>(m) * static_cast<double>(n));
  out.exact = m * n <= kSmirnovExact;
  if (path.largest == 0) return out;
  const double size = static_cast<double>(m) * static_cast<double>(n) / static_cast<double>(m + n);
  out.p = out.exact ? 1 - below_distance(path, m, n) : kolmogorov_upper_tail(out.distance * std::sqrt(size));
  out.p = std::clamp(out.p, 0.0, 1.0);
  return out;
}

}  // namespace kernelgate::stats
