// SPDX-License-Identifier: Apache-2.0
#pragma once

// What past comparisons of a benchmark say of its noise, and how far to believe them. Pure; db/ gathers the comparisons
// of an epoch, newest first. Step 3 of docs/DECISION_RULE.md.

#include <optional>
#include <span>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

inline constexpr int kStoredDegrees = 15;          // a stored variance needs at least these
inline constexpr int kPastComparisons = 20;        // the newest, that are asked
inline constexpr double kStoredHalfLifeDays = 30;  // after which a comparison counts for half

struct PastComparison {
  int pairs = 0;
  double mean = 0;         // of d
  double sum_squares = 0;  // of d about its mean
  int degrees = 0;
  double age_days = 0;
};

// Variance of d within a run, the degrees of freedom it counts for, and the variance of a run's mean beyond what its
// pairs explain. No single comparison sets any of them: each is cut to what chance explains beside the median one.
// Nothing below kStoredDegrees.
[[nodiscard]] std::optional<StoredVariance> stored_noise(std::span<const PastComparison> past);

}  // namespace kernelgate
