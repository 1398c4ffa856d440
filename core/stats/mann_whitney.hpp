// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mann-Whitney U test of two independent samples, two-sided.
// Exact, ties included, while (smaller size) x (both sizes together) <= kExactWork: 50 a side. The
// p value is that of the permutation test, P(|U - mn/2| >= |u - mn/2|). Beyond, the normal
// approximation with the variance corrected for ties, a continuity correction of half the step that
// U can make, and one Edgeworth term: good to 1e-3 where the smaller sample has at least 5 values
// (1.3e-5 at 51 a side) and the data a dozen distinct ones (with three: 5e-2). O(n log n) beside
// the exact distribution.

#include <cstdint>
#include <span>

#include "core/units/result.hpp"

namespace kernelgate::stats {

inline constexpr std::int64_t kExactWork = 5000;

struct MannWhitney {
  double u = 0;  // pairs with second > first, ties counted half
  double p = 1;
  bool exact = true;
};

[[nodiscard]] Result<MannWhitney> mann_whitney(std::span<const double> first, std::span<const double> second);

}  // namespace kernelgate::stats
