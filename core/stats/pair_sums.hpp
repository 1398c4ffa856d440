// SPDX-License-Identifier: Apache-2.0
#pragma once

// Order statistics of all sums a_i + b_j without forming them: expected O(n log n) time, O(n)
// memory. Hodges-Lehmann estimates are medians of such sums.

#include <cstdint>
#include <span>

namespace kernelgate::stats {

enum class Cells { all, upper };  // upper: only j >= i, for Walsh sums of one sample with itself

// How many cells there are.
[[nodiscard]] std::int64_t cell_count(std::size_t rows, std::size_t columns, Cells cells);

// The k-th smallest (0-based) of a_i + b_j. Both ascending and not empty, 0 <= k < cell_count;
// Cells::upper needs spans of equal size. Deterministic.
[[nodiscard]] double kth_pair_sum(std::span<const double> a, std::span<const double> b, std::int64_t k, Cells cells);

}  // namespace kernelgate::stats
