// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random problems for the check, and the smallest one that still fails. Pure.

#include <functional>

#include "kernels/attention/attention.hpp"

namespace kernels::attention {

// A shape with all that makes its operands.
struct CheckProblem {
  Shape shape;
  float sharpness = 1;      // of the scale, in units of 1 / sqrt(depth): large ones make one key take all
  bool rows_first = false;  // (batch, row, head, depth) in memory, not (batch, head, row, depth)

  [[nodiscard]] float scale() const;
};

[[nodiscard]] std::string to_string(const CheckProblem& problem);

// Small enough for the reference; the same for the same seed.
[[nodiscard]] CheckProblem random_problem(std::uint64_t seed);

[[nodiscard]] CheckProblem smallest_failing(CheckProblem problem,
                                            const std::function<bool(const CheckProblem&)>& fails);

}  // namespace kernels::attention
