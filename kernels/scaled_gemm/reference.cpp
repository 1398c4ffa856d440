// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/scaled_gemm/codecs.hpp"

namespace kernels::scaled {
namespace {

constexpr double kSmallest = 0x1p-134;  // half of the smallest bf16

const std::array<double, 256>& values() {
  static const auto kValues = [] {
    std::array<double, 256> made{};
    for (int i = 0; i < 256; ++i) made[static_cast<std::size_t>(i)] = decode_e4m3(static_cast<std::uint8_t>(i));
    return made;
  }();
  return kValues;
}

// Whose B a row of A meets; below 0: nobody's.
int group_of(const Shape& shape, const HostOperands& operands, int matrix, int row) {
  switch (shape.grouping) {
    case Grouping::batched: return matrix;
    case Grouping::contiguous: return operands.groups[static_cast<std::size_t>(row / shape.alignment)];
    case Grouping::masked: return row < operands.groups[static_cast<std::size_t>(matrix)] ? matrix : -1;
  }
  return -1;
}

}  // namespace

Element reference_element(const Shape& shape, const HostOperands& operands, int matrix, int row, int column) {
  const int group = group_of(shape, operands, matrix, row);
  if (group < 0) return {0, -1};
  const auto at = [](int i, int size, int j) {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j);
  };
  const auto k = static_cast<std::size_t>(shape.k);
  const std::uint8_t* a = operands.a.data() + at(matrix, shape.m, row) * k;
  const std::uint8_t* b = operands.b.data() + at(group, shape.n, column) * k;
  const float* a_scales = operands.a_scales.data() +
                          at(matrix, shape.k_blocks(), 0) * static_cast<std::size_t>(shape.a_scale_pitch()) + row;
  const float* b_scales =
      operands.b_scales.data() + at(group, shape.n_blocks(), column / kScaleBlock) * shape.k_blocks();
  double value = 0, magnitude = 0;
  for (int block = 0; block < shape.k_blocks(); ++block) {
    double sum = 0, sizes = 0;
    for (int i = block * kScaleBlock; i < std::min((block + 1) * kScaleBlock, shape.k); ++i) {
      const double term = values()[a[i]] * values()[b[i]];
      sum += term;
      sizes += std::fabs(term);
    }
    const double scale =
        static_cast<double>(a_scales[static_cast<std::ptrdiff_t>(block) * shape.a_scale_pitch()]) * b_scales[block];
    value += scale * sum;
    magnitude += std::fabs(scale) * sizes;
  }
  return {value, std::fabs(value) + (kProductError * magnitude + kSmallest) / kRounding};
}

Expected reference(const Shape& shape, const HostOperands& operands) {
  Expected expected;
  expected.value.reserve(shape.c_count());
  expected.magnitude.reserve(shape.c_count());
  for (int matrix = 0; matrix < shape.a_matrices(); ++matrix)
    for (int row = 0; row < shape.m; ++row)
      for (int column = 0; column < shape.n; ++column) {
        const Element element = reference_element(shape, operands, matrix, row, column);
        expected.value.push_back(element.value);
        expected.magnitude.push_back(element.magnitude);
      }
  return expected;
}

}  // namespace kernels::scaled
