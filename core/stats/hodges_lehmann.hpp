// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hodges-Lehmann estimates with distribution-free intervals, by order statistics of the Walsh
// averages (one sample of paired differences) or of all differences second - first (two samples).
// The interval's ranks come from the exact null distribution (signed rank: n <= 50; Mann-Whitney:
// 50 a side), beyond from its normal approximation. Where n is too small for the confidence asked
// for, the limits are the extremes. O(n log n).

#include <span>

#include "core/stats/interval.hpp"
#include "core/units/result.hpp"

namespace kernelgate::stats {

[[nodiscard]] Result<Interval> hodges_lehmann(std::span<const double> differences, double confidence = 0.95);

[[nodiscard]] Result<Interval> hodges_lehmann_shift(std::span<const double> first, std::span<const double> second,
                                                    double confidence = 0.95);

}  // namespace kernelgate::stats
