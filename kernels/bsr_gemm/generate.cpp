// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/generate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/common/random.hpp"

namespace kernels {
namespace {

int blocks_over(int size, int block) { return (size + block - 1) / block; }

// A power of two, so that scaling itself rounds nothing.
float random_scale(Random& random, int bits) {
  const int exponent = static_cast<int>(random.bits() % static_cast<unsigned>(2 * bits + 1)) - bits;
  return std::ldexp(1.0f, exponent);
}

void append_block(BsrMatrix& a, int block_row, int block_column, const std::vector<float>& row_scale, Random& random) {
  a.block_column.push_back(block_column);
  for (int row = 0; row < a.block_rows; ++row)
    for (int column = 0; column < a.block_columns; ++column) {
      const int i = block_row * a.block_rows + row;
      const bool inside = i < a.rows && block_column * a.block_columns + column < a.columns;
      a.values.push_back(inside ? random.symmetric() * row_scale[i] : 0.0f);
    }
}

}  // namespace

std::string describe(const Shape& shape) {
  char text[128];
  std::snprintf(text, sizeof text, "M=%d N=%d K=%d bs=%dx%d density=%g", shape.m, shape.n, shape.k, shape.block_rows,
                shape.block_columns, shape.density);
  return text;
}

Operands generate(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  Operands made;
  BsrMatrix& a = made.a;
  a.rows = shape.m, a.columns = shape.k;
  a.block_rows = shape.block_rows, a.block_columns = shape.block_columns;

  std::vector<float> row_scale(shape.m);
  std::generate(row_scale.begin(), row_scale.end(), [&] { return random_scale(random, shape.scale_bits); });
  a.row_begin.push_back(0);
  for (int block_row = 0; block_row < blocks_over(shape.m, shape.block_rows); ++block_row) {
    const bool empty = random.unit() < shape.empty_rows;
    for (int block_column = 0; block_column < blocks_over(shape.k, shape.block_columns); ++block_column)
      if (random.unit() < shape.density && !empty) append_block(a, block_row, block_column, row_scale, random);
    a.row_begin.push_back(static_cast<int>(a.block_column.size()));
  }
  made.b.reserve(static_cast<std::size_t>(shape.k) * shape.n);
  for (int row = 0; row < shape.k; ++row) {
    const float scale = random_scale(random, shape.scale_bits);
    for (int column = 0; column < shape.n; ++column) made.b.push_back(random.symmetric() * scale);
  }
  return made;
}

}  // namespace kernels
