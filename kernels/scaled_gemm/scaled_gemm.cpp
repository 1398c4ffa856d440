// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/scaled_gemm.hpp"

namespace kernels::scaled {

const char* to_string(Grouping grouping) {
  switch (grouping) {
    case Grouping::batched: return "batched";
    case Grouping::contiguous: return "contiguous";
    case Grouping::masked: return "masked";
  }
  return "?";
}

std::string to_string(const Shape& shape) {
  std::string text = std::to_string(shape.m);
  text.append("x").append(std::to_string(shape.n)).append("x").append(std::to_string(shape.k));
  if (shape.matrices > 1 || shape.grouping != Grouping::batched)
    text.append("x").append(std::to_string(shape.matrices));
  return shape.grouping == Grouping::batched ? text : text.append("/").append(to_string(shape.grouping));
}

const char* shape_refusal(const Shape& shape) {
  if (shape.m < 1 || shape.n < 1 || shape.k < 1 || shape.matrices < 1) return "sizes are at least 1";
  if (shape.n % kSizeUnit != 0 || shape.k % kSizeUnit != 0) return "N and K are multiples of 16";
  if (shape.grouping == Grouping::contiguous && shape.alignment != 128 && shape.alignment != 256)
    return "contiguous groups begin at multiples of 128 or 256 rows";
  if (shape.grouping == Grouping::contiguous && shape.m % shape.alignment != 0)
    return "rows of contiguous groups are a multiple of their alignment";
  return nullptr;
}

double flops_of(const Shape& shape) {
  return 2.0 * shape.a_matrices() * static_cast<double>(shape.m) * shape.n * shape.k;
}

double bytes_of(const Shape& shape) {
  return static_cast<double>(shape.a_count()) + static_cast<double>(shape.b_count()) +
         2 * static_cast<double>(shape.c_count()) +
         4 * (static_cast<double>(shape.a_scale_count()) + static_cast<double>(shape.b_scale_count()));
}

}  // namespace kernels::scaled
