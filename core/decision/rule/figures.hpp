// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is shown beside a verdict: significance, size and direction, each its own column. Decides
// nothing.

#include <span>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {

inline constexpr int kRankFiguresFrom = 4;    // processes a side for Cliff's delta and Mann-Whitney p
inline constexpr int kHodgesLehmannFrom = 6;  // pairs

// Fills ratio to head_median_ns, sum_squares and degrees from the first `out.pairs` of `pairs`,
// with the interval of the last of `out.looks` if that look was at these pairs, else with their own
// spread.
void fill_figures(Comparison& out, std::span<const PairTimes> pairs, const KnownNoise& known, Quantiles& quantiles);

// Delta and p of two processes' repetitions. They are not independent, so this is shown only where
// there is one process a side, and said.
void fill_repetition_figures(Comparison& out, std::span<const double> base_ns, std::span<const double> head_ns);

// Benjamini-Hochberg over the comparisons that have a look: p is that of a shift beyond tolerate at
// the stop.
void fill_q_values(std::vector<Comparison>& comparisons);

}  // namespace kernelgate
