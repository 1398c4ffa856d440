// SPDX-License-Identifier: Apache-2.0
#include "core/stats/hodges_lehmann.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/pair_sums.hpp"
#include "core/stats/rank_counts.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

// Up to so many differences the ranks of the interval come from the exact distribution.
constexpr std::size_t kExactDifferences = 50;

// Median of the cells and the values `skip` cells in from either end, as R's wilcox.test takes
// them.
Interval centre_and_limits(std::span<const double> a, std::span<const double> b, Cells cells, std::int64_t skip) {
  const std::int64_t count = cell_count(a.size(), b.size(), cells);
  const std::int64_t low = std::clamp<std::int64_t>(skip - 1, 0, (count - 1) / 2);
  Interval out;
  out.estimate = kth_pair_sum(a, b, count / 2, cells);
  if (count % 2 == 0) out.estimate = 0.5 * (out.estimate + kth_pair_sum(a, b, count / 2 - 1, cells));
  out.low = kth_pair_sum(a, b, low, cells);
  out.high = kth_pair_sum(a, b, count - 1 - low, cells);
  return out;
}

std::int64_t normal_rank(double mean, double variance, double tail) {
  return static_cast<std::int64_t>(std::llround(mean + normal_quantile(tail) * std::sqrt(variance)));
}

Status check_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1)) return fail(Errc::invalid, "confidence is outside 0 to 1", "Hodges-Lehmann");
  return {};
}

}  // namespace

Result<Interval> hodges_lehmann(std::span<const double> differences, double confidence) {
  if (Status ok = check_sample(differences, "differences"); !ok) return pass_on(ok);
  if (Status ok = check_confidence(confidence); !ok) return pass_on(ok);
  const std::vector<double> values = sorted(differences);
  const double n = static_cast<double>(values.size()), tail = (1 - confidence) / 2;
  const std::int64_t skip = values.size() <= kExactDifferences
                                ? discrete_quantile(signed_rank_distribution(static_cast<int>(values.size())), tail)
                                : normal_rank(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24, tail);
  Interval out = centre_and_limits(values, values, Cells::upper, skip);
  return Interval{out.estimate / 2, out.low / 2, out.high / 2};
}

Result<Interval> hodges_lehmann_shift(std::span<const double> first, std::span<const double> second,
                                      double confidence) {
  if (Status ok = check_sample(first, "first sample"); !ok) return pass_on(ok);
  if (Status ok = check_sample(second, "second sample"); !ok) return pass_on(ok);
  if (Status ok = check_confidence(confidence); !ok) return pass_on(ok);
  std::vector<double> negated;
  negated.reserve(first.size());
  for (double value : first) negated.push_back(-value);
  std::sort(negated.begin(), negated.end());
  const std::vector<double> ascending = sorted(second);
  const auto m = static_cast<std::int64_t>(first.size()), n = static_cast<std::int64_t>(second.size());
  const double tail = (1 - confidence) / 2, cells = static_cast<double>(m * n);
  const std::int64_t skip =
      std::min(m, n) * (m + n) <= kExactWork
          ? discrete_quantile(mann_whitney_distribution(static_cast<int>(m), static_cast<int>(n)), tail)
          : normal_rank(cells / 2, cells * static_cast<double>(m + n + 1) / 12, tail);
  return centre_and_limits(negated, ascending, Cells::all, skip);
}

}  // namespace kernelgate::stats
