// SPDX-License-Identifier: Apache-2.0
#pragma once

// The softmax of rows whose scores come block after block: a running maximum and sum for the two rows that a thread
// holds of a warpgroup's sums. Device code; scores are scaled as they are raised, by powers of two.

namespace kernels::attention {

__device__ __forceinline__ float power_of_two(float exponent) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(exponent));
  return result;
}
// Of the four lanes that hold a row.
__device__ __forceinline__ float row_max(float value) {
  value = fmaxf(value, __shfl_xor_sync(~0u, value, 1));
  return fmaxf(value, __shfl_xor_sync(~0u, value, 2));
}
__device__ __forceinline__ float row_sum(float value) {
  value += __shfl_xor_sync(~0u, value, 1);
  return value + __shfl_xor_sync(~0u, value, 2);
}

// What the sums of earlier blocks are multiplied with.
template <bool kLazy>
struct Rescale {
  float factor[2] = {1, 1};
  bool needed = true;  // the same in all lanes of a warp
  template <int kCount>
  __device__ __forceinline__ void apply(float (&out)[kCount]) const {
    if (kLazy && !needed) return;
#pragma unroll
    for (int i = 0; i < kCount; ++i) out[i] *= factor[i / 2 % 2];
  }
};

template <class Shape>
struct Softmax {
  static constexpr int kCount = Shape::kColumns / 2;
  // A lazy softmax keeps its maximum until a score is above it by this power of two: probabilities stay below 2^8.
  static constexpr float kSlack = 8;
  float maximum[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};

  // Scores become probabilities, relative to the running maximum.
  __device__ __forceinline__ Rescale<Shape::kLazy> next(float (&scores)[kCount], float scale) {
    float highest[2][2] = {{maximum[0], maximum[0]}, {maximum[1], maximum[1]}};
#pragma unroll
    for (int i = 0; i < kCount; ++i) highest[i / 2 % 2][i % 2] = fmaxf(highest[i / 2 % 2][i % 2], scores[i]);
    const Rescale<Shape::kLazy> rescale =
        raise(row_max(fmaxf(highest[0][0], highest[0][1])), row_max(fmaxf(highest[1][0], highest[1][1])), scale);
    // No key may have been seen yet.
    const float offset[2] = {maximum[0] == -INFINITY ? 0 : maximum[0] * scale,
                             maximum[1] == -INFINITY ? 0 : maximum[1] * scale};
    float added[2][2] = {};
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      scores[i] = power_of_two(scores[i] * scale - offset[i / 2 % 2]);
      added[i / 2 % 2][i % 2] += scores[i];
    }
#pragma unroll
    for (int half = 0; half < 2; ++half)
      sum[half] = sum[half] * rescale.factor[half] + (added[half][0] + added[half][1]);
    return rescale;
  }

  __device__ __forceinline__ Rescale<Shape::kLazy> raise(float first, float second, float scale) {
    Rescale<Shape::kLazy> rescale;
    const float highest[2] = {first, second};
    if constexpr (Shape::kLazy) {
      const bool higher = (first - maximum[0]) * scale > kSlack || (second - maximum[1]) * scale > kSlack;
      rescale.needed = __any_sync(~0u, higher);
      if (!rescale.needed) return rescale;
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float base = highest[half] == -INFINITY ? 0 : highest[half];
      rescale.factor[half] = power_of_two((maximum[half] - base) * scale);
      maximum[half] = highest[half];
    }
    return rescale;
  }

  // Rows that see no key are zero.
  template <int kOut>
  __device__ __forceinline__ void finish(float (&out)[kOut]) {
    Rescale<false> rescale;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float total = row_sum(sum[half]);
      rescale.factor[half] = total == 0 ? 0 : 1 / total;
    }
    rescale.apply(out);
  }
};

}  // namespace kernels::attention
