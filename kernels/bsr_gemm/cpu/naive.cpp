// SPDX-License-Identifier: Apache-2.0
// First generation: each product is added to its sum in memory, block by block.
#include <algorithm>

#include "kernels/bsr_gemm/variants.hpp"

namespace kernels {

void bsr_gemm_naive(const BsrMatrix& a, const float* b, int n, float* c) {
  std::fill(c, c + static_cast<long>(a.rows) * n, 0.0f);
  for (int block_row = 0; block_row < a.block_row_count(); ++block_row) {
    const int row0 = block_row * a.block_rows;
    const int rows = std::min(a.block_rows, a.rows - row0);
    for (int block = a.row_begin[block_row]; block < a.row_begin[block_row + 1]; ++block) {
      const float* values = &a.values[static_cast<long>(block) * a.block_rows * a.block_columns];
      const int column0 = a.block_column[block] * a.block_columns;
      const int columns = std::min(a.block_columns, a.columns - column0);
      for (int row = 0; row < rows; ++row)
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < columns; ++k)
            c[static_cast<long>(row0 + row) * n + j] +=
                values[row * a.block_columns + k] * b[static_cast<long>(column0 + k) * n + j];
    }
  }
}

}  // namespace kernels
