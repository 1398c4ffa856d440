// SPDX-License-Identifier: Apache-2.0
#pragma once

// One benchmark of attention in the timing kit: its operands, and the error of some elements of its output.

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/bench/suite.hpp"

namespace kernels::attention {

struct Choice {
  Launch launch;
  std::string configuration;  // empty where nothing is chosen
};
using Choose = std::function<Choice(const Problem&, const bench::Operands&)>;

// attention/TYPE/SHAPE, warm, with operands as (batch, head, row, depth).
[[nodiscard]] bench::Case suite_case(DataType type, const Shape& shape, const Choose& choose);

}  // namespace kernels::attention
