// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/groups.hpp"

#include <algorithm>
#include <map>

namespace kernels::bsr {

Groups make_groups(const BsrMatrix& pattern, int group_rows) {
  Groups groups;
  groups.step_begin.push_back(0);
  for (int row0 = 0; row0 < pattern.block_row_count(); row0 += group_rows) {
    std::map<int, int> rows_of;  // per column
    for (int row = row0; row < std::min(row0 + group_rows, pattern.block_row_count()); ++row)
      for (int block = pattern.row_begin[row]; block < pattern.row_begin[row + 1]; ++block)
        rows_of[pattern.block_column[block]] |= 1 << (row - row0);
    for (const auto& [column, rows] : rows_of) groups.steps.push_back(group_step(column, rows));
    groups.step_begin.push_back(static_cast<int>(groups.steps.size()));
  }
  return groups;
}

}  // namespace kernels::bsr
