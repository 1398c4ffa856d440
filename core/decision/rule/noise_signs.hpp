// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kept a benchmark from a verdict, where its pairs show more than plain noise. Words for the reason of an open
// verdict; decides nothing.

#include <span>
#include <string>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {

inline constexpr std::size_t kSignsFrom = 8;  // pairs: fewer show no pattern
inline constexpr double kSignTail = 0.01;     // chance of a sign in plain noise, each

// "the clock's step is 4.0 % of this kernel", "runs of unchanged code differ by 1.6 %, more than their pairs explain",
// "two modes 5.0 % apart", "period of about 4 processes" or "pairs are correlated (0.71)"; empty: none of these.
[[nodiscard]] std::string noise_sign(std::span<const PairTimes> pairs, const KnownNoise& known);

}  // namespace kernelgate
