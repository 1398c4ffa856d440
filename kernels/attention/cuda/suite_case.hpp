// SPDX-License-Identifier: Apache-2.0
#pragma once

// One benchmark of attention in the timing kit: its operands, and the error of some elements of its output.

#include <optional>

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/attention/layouts.hpp"
#include "kernels/bench/suite.hpp"

namespace kernels::attention {

struct Choice {
  Launch launch;
  std::string configuration;  // empty where nothing is chosen
};
using Choose = std::function<Choice(const Problem&, const bench::Operands&)>;

// How the shape's sequences lie, where they are not simply one behind the other.
struct Arrangement {
  std::string name = {};  // stands in the benchmark's name
  std::vector<SequenceLength> sequences = {};
  std::optional<PatternKind> pattern = {};
};

// attention/TYPE/SHAPE[/ARRANGEMENT], warm, with operands as (batch, head, row, depth); packed sequences, whose shape
// says heads and depth alone, as (row, head, depth).
[[nodiscard]] bench::Case suite_case(DataType type, const Shape& shape, const Choose& choose,
                                     const Arrangement& arrangement = {});

}  // namespace kernels::attention
