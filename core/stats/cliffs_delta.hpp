// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cliff's delta: P(second > first) - P(second < first). It measures overlap, not size. O(n log n).
// The interval is Cliff's asymmetric one with the unbiased variance of Feng and Cliff (2004) and a
// t quantile of m + n - 2 degrees; for complete separation, where that variance is 0, (n - z^2) /
// (n + z^2) of the smaller sample.

#include <span>

#include "core/stats/interval.hpp"
#include "core/units/result.hpp"

namespace kernelgate::stats {

// `confidence` in (0, 1). A sample of one value allows no interval: the limits are then -1 and 1.
[[nodiscard]] Result<Interval> cliffs_delta(std::span<const double> first, std::span<const double> second,
                                            double confidence = 0.95);

}  // namespace kernelgate::stats
