// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bias-corrected and accelerated (BCa) bootstrap interval of any statistic of one sample. The generator is our own, so
// a seed gives the same limits with every compiler.

#include <cstdint>
#include <functional>
#include <span>

#include "core/stats/interval.hpp"
#include "core/units/result.hpp"

namespace kernelgate::stats {

using Statistic = std::function<double(std::span<const double>)>;

struct BootstrapPlan {
  int resamples = 10000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
};

// A constant sample, one value, or a statistic that never varies gives an interval of no width.
[[nodiscard]] Result<Interval> bca_interval(std::span<const double> values, const Statistic& statistic,
                                            const BootstrapPlan& plan);

}  // namespace kernelgate::stats
