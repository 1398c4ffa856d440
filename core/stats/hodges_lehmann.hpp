// SPDX-License-Identifier: Apache-2.0
#pragma once

// The Hodges-Lehmann estimate of paired differences with its distribution-free interval, by order statistics of the
// Walsh averages. The interval's ranks come from the exact null distribution of the signed rank (n <= 50), beyond from
// its normal approximation. Where n is too small for the confidence asked for, the limits are the extremes. O(n log n).

#include <span>

#include "core/stats/interval.hpp"
#include "core/units/result.hpp"

namespace kernelgate::stats {

[[nodiscard]] Result<Interval> hodges_lehmann(std::span<const double> differences, double confidence = 0.95);

}  // namespace kernelgate::stats
