// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two-sample Kolmogorov-Smirnov test, two-sided: the largest distance of the two empirical distributions.
// Exact, given the ties of the pooled sample, while the product of the sizes is at most kSmirnovExact; beyond, the
// limiting distribution. O(n log n) beside the exact distribution, which is O(m·n).

#include <cstdint>
#include <span>

#include "core/units/result.hpp"

namespace kernelgate::stats {

inline constexpr std::int64_t kSmirnovExact = 250000;

struct KolmogorovSmirnov {
  double distance = 0;
  double p = 1;
  bool exact = true;
};

[[nodiscard]] Result<KolmogorovSmirnov> kolmogorov_smirnov(std::span<const double> first,
                                                           std::span<const double> second);

}  // namespace kernelgate::stats
