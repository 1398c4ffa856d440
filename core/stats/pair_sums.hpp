// SPDX-License-Identifier: Apache-2.0
#pragma once

// Order statistics of all sums a_i + a_j with j >= i (Walsh sums) without forming them: expected O(n log n) time, O(n)
// memory. Hodges-Lehmann estimates are medians of such sums.

#include <cstdint>
#include <span>

namespace kernelgate::stats {

// How many sums a sample of this size has.
[[nodiscard]] std::int64_t pair_sum_count(std::size_t size);

// The k-th smallest (0-based) of them. `ascending` is not empty, 0 <= k < pair_sum_count. Deterministic.
[[nodiscard]] double kth_pair_sum(std::span<const double> ascending, std::int64_t k);

}  // namespace kernelgate::stats
