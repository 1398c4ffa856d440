// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rule "mwu_cliff": U < .05, |delta| >= .147 and at least `catch` between the medians, on
// process medians, judged once with all processes, at least 4 a side. Its error rates stand in
// docs/DECISION_RULE.md.

#include <span>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {

inline constexpr double kMwuAlpha = 0.05;
inline constexpr double kSmallDelta = 0.147;

// Said beside its verdicts: what it is worth.
inline constexpr const char* kMwuCliffRates =
    "rule mwu_cliff: with 8 processes a side and the default limits it catches a true +3 % in 50 % of simulated cases "
    "and alarms at +1 % in 0.3 % (docs/STATISTICS.md)";

// The same for head alone against a stored baseline.
inline constexpr const char* kMwuCliffStoredRates =
    "rule mwu_cliff against a stored baseline: 8 processes of head against 20 sessions of 2 catch a true +3 % in 50 % "
    "of simulated cases, and alarm at no change in 0.6 % and at +1 % in 3.3 %; at twice the noise in 6.6 % and 14.6 % "
    "(docs/STATISTICS.md)";

// regressed or improved where all three hold; unchanged where the medians differ by less than the
// catch limit; else suspected or undecided, by the size of the estimate.
[[nodiscard]] Verdict judge_mwu_cliff(std::span<const PairTimes> pairs, const Band& band);
// Log process medians of either side, which need not be as many.
[[nodiscard]] Verdict judge_mwu_cliff(std::span<const double> base, std::span<const double> head, const Band& band);

}  // namespace kernelgate
