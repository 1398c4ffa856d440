// SPDX-License-Identifier: Apache-2.0
#pragma once

// RMSNorm with quantisation behind it: y = x / sqrt(mean(x^2) + epsilon) * gain for each row, then e4m3 with one scale
// for 128 values, as a product's A wants it. A scale is the largest magnitude over 448; that of a block below
// kNormSmallest is 0.

#include "kernels/scaled_gemm/cuda/configurations.hpp"

namespace kernels::scaled {

struct NormProblem {
  int rows = 1, columns = kSizeUnit;
  float epsilon = 1e-6F;
  const void* x = nullptr;     // bf16: row, column
  const void* gain = nullptr;  // bf16: column
  void* values = nullptr;      // e4m3: row, column
  float* scales = nullptr;     // block of columns, row (Shape::a_scale_pitch)
};

inline constexpr float kNormSmallest = 0x1p-100F;  // its scale still has an inverse
inline constexpr int kNormColumnsMax = 16384;      // a row stays in the registers of one block

// Why it cannot be computed; nullptr if it can.
[[nodiscard]] const char* norm_refusal(int rows, int columns);

// Throws std::runtime_error for what is refused.
[[nodiscard]] Launch prepare_norm(const NormProblem& problem);

}  // namespace kernels::scaled
