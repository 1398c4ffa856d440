// SPDX-License-Identifier: Apache-2.0
#pragma once

// Wilcoxon's signed-rank test of paired differences, two-sided. Zero differences are left out, as R does.
// Exact, ties included, up to kSignedRankExact differences; beyond, the normal approximation with the variance
// corrected for ties and a continuity correction.

#include <span>

#include "core/units/result.hpp"

namespace kernelgate::stats {

inline constexpr int kSignedRankExact = 50;

struct SignedRank {
  double w = 0;   // sum of the ranks of positive differences
  int count = 0;  // differences that are not zero
  double p = 1;
  bool exact = true;
};

[[nodiscard]] Result<SignedRank> signed_rank(std::span<const double> differences);

}  // namespace kernelgate::stats
