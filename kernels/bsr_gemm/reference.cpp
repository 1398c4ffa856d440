// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/reference.hpp"

#include <cmath>
#include <cstddef>

namespace kernels {

// Goes over the blocks by their definition, element by element, so that it shares no loop with the kernels.
Reference reference_product(const BsrMatrix& a, const std::vector<float>& b, int n) {
  const std::size_t size = static_cast<std::size_t>(a.rows) * n;
  Reference reference{std::vector<double>(size), std::vector<double>(size)};
  for (int i = 0; i < a.rows; ++i) {
    const int block_row = i / a.block_rows;
    for (int block = a.row_begin[block_row]; block < a.row_begin[block_row + 1]; ++block) {
      for (int inner = 0; inner < a.block_columns; ++inner) {
        const int k = a.block_column[block] * a.block_columns + inner;
        if (k >= a.columns) continue;
        const std::size_t at = (static_cast<std::size_t>(block) * a.block_rows + i % a.block_rows) * a.block_columns;
        const double value = a.values[at + inner];
        for (int j = 0; j < n; ++j) {
          const double product = value * b[static_cast<std::size_t>(k) * n + j];
          reference.sum[static_cast<std::size_t>(i) * n + j] += product;
          reference.magnitude[static_cast<std::size_t>(i) * n + j] += std::fabs(product);
        }
      }
    }
  }
  return reference;
}

}  // namespace kernels
