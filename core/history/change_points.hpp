// SPDX-License-Identifier: Apache-2.0
#pragma once

// Change points of a benchmark's history: where its level moved, either way. Input: one figure per measured commit, in
// order of history, as log time. Deterministic. O(n log n).
//
// Spikes are first cut down to four noise widths from the running median, so that a single outlier is no change. Then
// every seeded interval (Kovács, Bühlmann, Li, Munk: Seeded binary segmentation, 2020: all scales, half overlapping, so
// that a rise does not hide a later fall) is split where Student's t between its parts is largest, and that maximum is
// given the p value of a maximally selected statistic (Miller & Siegmund, Maximally selected chi-square statistics,
// 1982). p values are multiplied by the number of intervals: `alpha` bounds the chance of any false change point in a
// history of independent points. Where neighbouring points are correlated about the levels found, the same is asked of
// what each point adds to what its neighbour lets expect (AR(1)), and only what stands there is a change.

#include <cstddef>
#include <span>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::history {

struct ChangePointOptions {
  std::size_t min_size = 5;   // points on each side of a change
  double alpha = 0.001;       // chance of any false change point in the whole history
  double min_effect = 0.005;  // as a ratio: smaller shifts are not reported
};

struct ChangePoint {
  std::size_t index = 0;   // the first point of the new level; the change came after point index - 1
  std::size_t before = 0;  // points of the level before, and of the new one, up to the neighbouring changes
  std::size_t after = 0;
  double ratio = 1;  // exp(median after - median before)
  double p = 1;      // corrected for the choice of place and interval
};

// Errc::invalid: a value that is not finite, or a min_size below 2.
[[nodiscard]] Result<std::vector<ChangePoint>> find_change_points(std::span<const double> log_times,
                                                                  const ChangePointOptions& options = {});

// P(max over k in [first, last] of |standardised difference of the first k of n points and the rest| >= z) where all
// points have one mean; first >= 1, last <= n - 1. Miller & Siegmund's approximation, good for small tails.
[[nodiscard]] double maximal_p(double z, std::size_t first, std::size_t last, std::size_t n);

}  // namespace kernelgate::history
