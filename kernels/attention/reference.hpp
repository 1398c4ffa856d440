// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention in double precision on the host, with what each element may err by. Pure.

#include <span>
#include <vector>

#include "kernels/attention/layouts.hpp"
#include "kernels/common/outcome.hpp"

namespace kernels::attention {

// Operands as values that the type can hold, each with its strides; `o` only says where an element of the output lies.
struct HostOperands {
  std::span<const float> q, k, v;
  Strides q_strides, k_strides, v_strides, o_strides;
};

// Half a unit in the last place of the type: what a rounded probability and a rounded output each err by.
[[nodiscard]] constexpr double bound_of(DataType type) { return type == DataType::fp16 ? 0x1p-11 : 0x1p-8; }

// Indexed as the output lies in memory. An element is wrong beyond bound_of(type) x magnitude: its own rounding, the
// rounding of the probabilities, and what fp32 sums of products and exponents add to these.
[[nodiscard]] Expected reference(DataType type, const Shape& shape, float scale, const HostOperands& operands);
[[nodiscard]] Expected packed_reference(DataType type, const Shape& shape, float scale, const HostOperands& operands,
                                        const HostOffsets& offsets);
[[nodiscard]] Expected sparse_reference(DataType type, const Shape& shape, float scale, const HostOperands& operands,
                                        const HostPattern& pattern);

}  // namespace kernels::attention
