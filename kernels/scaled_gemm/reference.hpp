// SPDX-License-Identifier: Apache-2.0
#pragma once

// The oracle: the product in double precision from exactly decoded operands, with a bound for each element.

#include <vector>

#include "kernels/common/outcome.hpp"
#include "kernels/scaled_gemm/scaled_gemm.hpp"

namespace kernels::scaled {

// Half a unit in the last place of bf16, for the output's own rounding.
inline constexpr double kRounding = 0x1p-8;
// Of the sum of magnitudes: the tensor cores align 32 products and the sum so far to the largest of them and cut each
// off 13 bits below it, four times for each block of K.
inline constexpr double kProductError = 0x1p-10;

struct HostOperands {
  std::vector<std::uint8_t> a, b;
  std::vector<float> a_scales, b_scales;
  std::vector<int> groups = {};  // group_of_rows or rows_of_group
};

// In the order of C. Rows that need not be written have a magnitude below 0. A value that is NaN is one in C.
[[nodiscard]] Expected reference(const Shape& shape, const HostOperands& operands);

// One element of it.
struct Element {
  double value = 0, magnitude = 0;  // the second for kRounding
};
[[nodiscard]] Element reference_element(const Shape& shape, const HostOperands& operands, int matrix, int row,
                                        int column);

}  // namespace kernels::scaled
