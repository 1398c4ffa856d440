// SPDX-License-Identifier: Apache-2.0
#pragma once

// Distribution-free interval of a quantile: two order statistics whose ranks come from the binomial distribution.

#include <span>

#include "core/stats/interval.hpp"
#include "core/units/result.hpp"

namespace kernelgate::stats {

struct QuantileInterval {
  Interval interval;  // estimate: the sample quantile of type 7
  double coverage =
      0;  // at least the confidence asked for; lower where n is too small, then the limits are the extremes
};

// 0 < p < 1, confidence in (0, 1).
[[nodiscard]] Result<QuantileInterval> quantile_interval(std::span<const double> values, double p,
                                                         double confidence = 0.95);

}  // namespace kernelgate::stats
