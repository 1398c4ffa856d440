// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random operands of a stated shape from a stated seed.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels {

struct Shape {
  const char* name;
  int m, n, k;
  int block_rows, block_columns;
  double density = 0.25;  // chance of a block to be there
  double empty_rows = 0;  // chance of a block row to have no block at all
  int scale_bits = 0;     // magnitudes are spread over 2^-scale_bits … 2^scale_bits, row by row
};
[[nodiscard]] std::string describe(const Shape& shape);

struct Operands {
  BsrMatrix a;
  std::vector<float> b;  // k x n, row by row
};
[[nodiscard]] Operands generate(const Shape& shape, std::uint64_t seed);

}  // namespace kernels
