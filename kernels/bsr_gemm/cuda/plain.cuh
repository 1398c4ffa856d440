// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the plain CUDA kernels share: the operands as a kernel sees them, and conversions of the two 16-bit types.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

template <class T>
struct Matrices {
  const int *row_begin, *block_column;
  const T *values, *b;
  T* c;
  int rows, block_rows, block_columns, n;
};

template <class T>
[[nodiscard]] Matrices<T> matrices_of(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  return {problem.row_begin,
          problem.block_column,
          static_cast<const T*>(problem.values),
          static_cast<const T*>(problem.b),
          static_cast<T*>(problem.c),
          pattern.rows,
          pattern.block_rows,
          pattern.block_columns,
          problem.n};
}

__device__ inline float widened(__half value) { return __half2float(value); }
__device__ inline float widened(__nv_bfloat16 value) { return __bfloat162float(value); }

template <class T>
__device__ T rounded(float value);
template <>
__device__ inline __half rounded<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 rounded<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

[[nodiscard]] constexpr unsigned parts(long long size, long long part) {
  return static_cast<unsigned>((size + part - 1) / part);
}

}  // namespace kernels::bsr
