// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exact null distributions of rank sums, as probabilities. Sums of positive terms only, so each is
// good to about 1e-13 relative.

#include <cstdint>
#include <span>
#include <vector>

namespace kernelgate::stats {

// P(S = s) for s = 0 … sum of `weights`, where S adds up `chosen` of the weights, every choice
// equally likely.
[[nodiscard]] std::vector<double> choice_sum_distribution(std::span<const std::int64_t> weights, int chosen);

// P(U = u) for u = 0 … m·n: Mann-Whitney without ties.
[[nodiscard]] std::vector<double> mann_whitney_distribution(int m, int n);

// P(W = w) for w = 0 … n(n+1)/2: the signed rank sum without ties.
[[nodiscard]] std::vector<double> signed_rank_distribution(int n);

// The least x with P(X <= x) >= p.
[[nodiscard]] std::int64_t discrete_quantile(std::span<const double> distribution, double p);

}  // namespace kernelgate::stats
