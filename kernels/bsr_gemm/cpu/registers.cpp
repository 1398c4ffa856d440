// SPDX-License-Identifier: Apache-2.0
// Second generation: a few neighbouring sums stay in registers over the whole block row and are stored once.
#include <algorithm>

#include "kernels/bsr_gemm/variants.hpp"

namespace kernels {
namespace {

template <int kSums>
void multiply_row(const BsrMatrix& a, int block_row, int row, const float* b, int n, float* c) {
  float sums[kSums] = {};
  for (int block = a.row_begin[block_row]; block < a.row_begin[block_row + 1]; ++block) {
    const float* values = &a.values[(static_cast<long>(block) * a.block_rows + row) * a.block_columns];
    const int column0 = a.block_column[block] * a.block_columns;
    const int columns = std::min(a.block_columns, a.columns - column0);
    for (int k = 0; k < columns; ++k)
      for (int j = 0; j < kSums; ++j) sums[j] += values[k] * b[static_cast<long>(column0 + k) * n + j];
  }
  for (int j = 0; j < kSums; ++j) c[j] = sums[j];
}

}  // namespace

void bsr_gemm_registers(const BsrMatrix& a, const float* b, int n, float* c) {
  constexpr int kSums = 4;
  for (int block_row = 0; block_row < a.block_row_count(); ++block_row) {
    const int row0 = block_row * a.block_rows;
    const int rows = std::min(a.block_rows, a.rows - row0);
    for (int row = 0; row < rows; ++row) {
      float* c_row = c + static_cast<long>(row0 + row) * n;
      int j = 0;
      for (; j + kSums <= n; j += kSums) multiply_row<kSums>(a, block_row, row, b + j, n, c_row + j);
      for (; j < n; ++j) multiply_row<1>(a, block_row, row, b + j, n, c_row + j);
    }
  }
}

}  // namespace kernels
