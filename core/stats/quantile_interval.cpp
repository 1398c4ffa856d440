// SPDX-License-Identifier: Apache-2.0
#include "core/stats/quantile_interval.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {

Result<QuantileInterval> quantile_interval(std::span<const double> values, double p, double confidence) {
  if (!(p > 0 && p < 1)) return fail(Errc::invalid, "p is outside 0 to 1", "quantile interval");
  if (!(confidence > 0 && confidence < 1))
    return fail(Errc::invalid, "confidence is outside 0 to 1", "quantile interval");
  const Result<double> estimate = quantile(values, p);
  if (!estimate) return pass_on(estimate);
  const std::vector<double> ascending = sorted(values);
  const int n = static_cast<int>(ascending.size());
  const double tail = (1 - confidence) / 2;
  // 1-based ranks: the largest low with P(X < low) <= tail, the smallest high with P(X >= high) <= tail.
  int low = 1, high = n;
  for (int step = n; step > 0; step /= 2) {
    while (low + step <= n && binomial_cdf(low + step - 1, n, p) <= tail) low += step;
    while (high - step >= 1 && 1 - binomial_cdf(high - step - 1, n, p) <= tail) high -= step;
  }
  QuantileInterval out;
  out.interval = {*estimate, ascending[static_cast<std::size_t>(std::min(low, high) - 1)],
                  ascending[static_cast<std::size_t>(std::max(low, high) - 1)]};
  out.coverage = binomial_cdf(high - 1, n, p) - binomial_cdf(low - 1, n, p);
  return out;
}

}  // namespace kernelgate::stats
