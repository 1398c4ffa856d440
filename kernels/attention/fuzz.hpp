// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random problems for the check, and the smallest one that still fails. Pure.

#include <functional>
#include <optional>

#include "kernels/attention/layouts.hpp"

namespace kernels::attention {

// A shape with all that makes its operands.
struct CheckProblem {
  Shape shape;              // of packed sequences: `pack` sets batch, queries and keys
  float sharpness = 1;      // of the scale, in units of 1 / sqrt(depth): large ones make one key take all
  bool rows_first = false;  // (batch, row, head, depth) in memory, not (batch, head, row, depth)
  std::vector<SequenceLength> sequences = {};  // packed, where there are any
  std::optional<PatternKind> pattern = {};     // sparse, where it is set

  [[nodiscard]] float scale() const;
  [[nodiscard]] Layout layout() const {
    return !sequences.empty() ? Layout::packed : pattern ? Layout::sparse : Layout::dense;
  }
  [[nodiscard]] CheckProblem packed() const;  // with the shape of its sequences
};

[[nodiscard]] std::string to_string(const CheckProblem& problem);

// Of a problem or its sequences, as if a pattern left nothing out.
[[nodiscard]] double flops_of(const CheckProblem& problem);

// Small enough for the reference; the same for the same seed.
[[nodiscard]] CheckProblem random_problem(std::uint64_t seed);

[[nodiscard]] CheckProblem smallest_failing(CheckProblem problem,
                                            const std::function<bool(const CheckProblem&)>& fails);

}  // namespace kernels::attention
