// SPDX-License-Identifier: Apache-2.0
#pragma once

// The variants of the block-sparse GEMM that the check proves and the suite times. Each computes C = A·B in float:
// b is columns(A) x n and c is rows(A) x n, both row by row; every element of c is written, none beside it.

#include <span>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels {

using BsrGemm = void (*)(const BsrMatrix& a, const float* b, int n, float* c);

void bsr_gemm_naive(const BsrMatrix& a, const float* b, int n, float* c);
void bsr_gemm_registers(const BsrMatrix& a, const float* b, int n, float* c);
void bsr_gemm_vectorized(const BsrMatrix& a, const float* b, int n, float* c);

struct Variant {
  const char* name;
  BsrGemm multiply;
};
[[nodiscard]] std::span<const Variant> variants();

}  // namespace kernels
