// SPDX-License-Identifier: Apache-2.0
#pragma once

// Block rows taken together: the rows of a group go through the columns that any of them has a block in, so that what
// is read of B serves every row that needs it. Plain C++.

#include <vector>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels::bsr {

inline constexpr int kGroupRowsMax = 8;  // block rows of one group

// A step is one column of a group: the column's number, and below it a bit for each block row that has a block there.
// Going through the steps in order meets the blocks of each row in order.
struct Groups {
  std::vector<int> step_begin;  // per group: index of its first step; one more at the end
  std::vector<int> steps;
};
[[nodiscard]] constexpr int group_step(int column, int rows) { return column << kGroupRowsMax | rows; }

[[nodiscard]] Groups make_groups(const BsrMatrix& pattern, int group_rows);

}  // namespace kernels::bsr
