// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block-sparse matrix in BSR form. Blocks of one block row lie together, in the order of their columns; a block is
// stored row by row and in full: where it reaches over the matrix's last row or column, the rest is zero and unused.

#include <vector>

namespace kernels {

struct BsrMatrix {
  int rows = 0, columns = 0;
  int block_rows = 1, block_columns = 1;  // size of one block
  std::vector<int> row_begin;             // per block row: index of its first block; one more at the end
  std::vector<int> block_column;          // per block: its block column
  std::vector<float> values;              // per block: block_rows x block_columns

  [[nodiscard]] int block_row_count() const { return static_cast<int>(row_begin.size()) - 1; }
};

}  // namespace kernels
