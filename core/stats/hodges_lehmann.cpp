// SPDX-License-Identifier: Apache-2.0
#include "core/stats/hodges_lehmann.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/pair_sums.hpp"
#include "core/stats/rank_counts.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

// Up to so many differences the ranks of the interval come from the exact distribution.
constexpr std::size_t kExactDifferences = 50;

// Median of the pair sums and the values `skip` sums in from either end, as R's wilcox.test takes them.
Interval centre_and_limits(std::span<const double> values, std::int64_t skip) {
  const std::int64_t count = pair_sum_count(values.size());
  const std::int64_t low = std::clamp<std::int64_t>(skip - 1, 0, (count - 1) / 2);
  Interval out;
  out.estimate = kth_pair_sum(values, count / 2);
  if (count % 2 == 0) out.estimate = 0.5 * (out.estimate + kth_pair_sum(values, count / 2 - 1));
  out.low = kth_pair_sum(values, low);
  out.high = kth_pair_sum(values, count - 1 - low);
  return out;
}

std::int64_t normal_rank(double mean, double variance, double tail) {
  return static_cast<std::int64_t>(std::llround(mean + normal_quantile(tail) * std::sqrt(variance)));
}

}  // namespace

Result<Interval> hodges_lehmann(std::span<const double> differences, double confidence) {
  if (Status ok = check_sample(differences, "differences"); !ok) return pass_on(ok);
  if (!(confidence > 0 && confidence < 1)) return fail(Errc::invalid, "confidence is outside 0 to 1", "Hodges-Lehmann");
  const std::vector<double> values = sorted(differences);
  const double n = static_cast<double>(values.size()), tail = (1 - confidence) / 2;
  const std::int64_t skip = values.size() <= kExactDifferences
                                ? discrete_quantile(signed_rank_distribution(static_cast<int>(values.size())), tail)
                                : normal_rank(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24, tail);
  const Interval out = centre_and_limits(values, skip);
  return Interval{out.estimate / 2, out.low / 2, out.high / 2};
}

}  // namespace kernelgate::stats
