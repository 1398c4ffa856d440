// SPDX-License-Identifier: Apache-2.0
#pragma once

// How both families of matrix instructions spread operands over the lanes of a warp. Device code only.

#include <cstdint>

#include "kernels/hopper_parts/mma_issue.hpp"

namespace kernels {

// 16 rows by 16 of K of A, of which `row` is the first of this warp's rows.
__device__ __forceinline__ void load_left(std::uint32_t (&left)[4], const void* row, int k) {
  const int lane = threadIdx.x % 32;
  const auto* words = static_cast<const std::uint32_t*>(row) + (lane / 4) * (kIssueDepth / 2) + k / 2 + lane % 4;
  left[0] = words[0];
  left[1] = words[8 * (kIssueDepth / 2)];
  left[2] = words[4];
  left[3] = words[8 * (kIssueDepth / 2) + 4];
}

// 16 rows of sums in groups of eight columns; `row` is the first of this warp's rows in D.
template <int kCount>
__device__ __forceinline__ void store_sums(const float (&sums)[kCount], float* row, int columns) {
  const int lane = threadIdx.x % 32;
  float* const mine = row + static_cast<std::size_t>(lane / 4) * columns + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < kCount / 4; ++i) {
    *reinterpret_cast<float2*>(mine + 8 * i) = make_float2(sums[4 * i], sums[4 * i + 1]);
    *reinterpret_cast<float2*>(mine + 8 * columns + 8 * i) = make_float2(sums[4 * i + 2], sums[4 * i + 3]);
  }
}

}  // namespace kernels
