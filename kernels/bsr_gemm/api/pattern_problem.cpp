// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/api/pattern_problem.hpp"

#include <cstdint>
#include <utility>

namespace kernels::bsr {

std::string size_problem(const BsrMatrix& pattern, int n) {
  struct Size {
    const char* what;
    int value, low;
  };
  for (const Size& size : {Size{"rows", pattern.rows, 0}, Size{"columns", pattern.columns, 0}, Size{"n", n, 0},
                           Size{"block_rows", pattern.block_rows, 1}, Size{"block_columns", pattern.block_columns, 1}})
    if (size.value < size.low || size.value > kSizeMax)
      return std::string(size.what) + " is " + std::to_string(size.value) + "; it may be " + std::to_string(size.low) +
             " to " + std::to_string(kSizeMax);
  if (pattern.rows % pattern.block_rows != 0) return "block_rows must divide rows";
  if (pattern.columns % pattern.block_columns != 0) return "block_columns must divide columns";
  return {};
}

std::string row_problem(const BsrMatrix& pattern) {
  const int rows = pattern.rows / pattern.block_rows, columns = pattern.columns / pattern.block_columns;
  if (pattern.block_row_count() != rows || pattern.row_begin.front() != 0)
    return "row_begin must have rows / block_rows + 1 = " + std::to_string(rows + 1) + " entries and begin with 0";
  for (int row = 0; row < rows; ++row) {
    const long long blocks = static_cast<long long>(pattern.row_begin[row + 1]) - pattern.row_begin[row];
    if (blocks < 0 || blocks > columns)
      return "row_begin must ascend by 0 to " + std::to_string(columns) + ", and does not at block row " +
             std::to_string(row);
  }
  return {};
}

std::string pattern_problem(const BsrMatrix& pattern, int n) {
  if (std::string problem = size_problem(pattern, n); !problem.empty()) return problem;
  if (std::string problem = row_problem(pattern); !problem.empty()) return problem;
  if (pattern.block_column.size() != static_cast<std::size_t>(pattern.row_begin.back()))
    return "block_column must have " + std::to_string(pattern.row_begin.back()) + " entries";
  const int columns = pattern.columns / pattern.block_columns;
  for (int row = 0; row < pattern.block_row_count(); ++row)
    for (int block = pattern.row_begin[row]; block < pattern.row_begin[row + 1]; ++block) {
      const int column = pattern.block_column[block];
      const int least = block > pattern.row_begin[row] ? pattern.block_column[block - 1] + 1 : 0;
      if (column < least || column >= columns)
        return "block_column must ascend within a block row and stay below " + std::to_string(columns) +
               ", and does not at block " + std::to_string(block);
    }
  return {};
}

std::string address_problem(const void* values, const void* b, const void* c) {
  for (const auto& [what, address] : {std::pair{"values", values}, std::pair{"b", b}, std::pair{"c", c}})
    if (reinterpret_cast<std::uintptr_t>(address) % kAlignment != 0)
      return std::string(what) + " must begin at a multiple of " + std::to_string(kAlignment) + " bytes";
  return {};
}

}  // namespace kernels::bsr
