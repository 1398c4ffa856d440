// SPDX-License-Identifier: Apache-2.0
#pragma once

// Medians, quantiles and moments of one sample. Every statistic of this folder refuses an empty
// sample, NaN and infinities with Errc::invalid: a number that went wrong upstream must not turn
// into a verdict.

#include <span>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::stats {

// Ok if there is at least one value and all are finite; `name` is the sample's name in the error.
[[nodiscard]] Status check_sample(std::span<const double> values, std::string_view name);

[[nodiscard]] Result<double> median(std::span<const double> values);

// R's type 7 (linear interpolation between order statistics), 0 <= p <= 1.
[[nodiscard]] Result<double> quantile(std::span<const double> values, double p);

struct Moments {
  int count = 0;
  double mean = 0;
  double sum_squares = 0;  // about the mean
  double variance = 0;     // sum_squares / (count - 1); 0 for one value
};
[[nodiscard]] Result<Moments> moments(std::span<const double> values);

// A sorted copy.
[[nodiscard]] std::vector<double> sorted(std::span<const double> values);

}  // namespace kernelgate::stats
