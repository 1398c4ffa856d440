// SPDX-License-Identifier: Apache-2.0
#pragma once

// One warpgroup's sums: 64 x kColumns products of 128 in K by wgmma, then promoted to fp32 with both scales. The tensor
// cores add e4m3 products with fewer bits than fp32 has, so no more than 128 are left to them.

#include "kernels/hopper/wgmma.cuh"
#include "kernels/scaled_gemm/cuda/kernels.hpp"
#include "kernels/scaled_gemm/stages.hpp"

namespace kernels::scaled {

// Early, so that nobody waits for it: the compiler would move a plain load down to its use.
__device__ __forceinline__ float load_ahead(const float* from) {
  float value;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(from));
  return value;
}

constexpr int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }

// The scales that a thread's elements of a tile need, of one block of K, loaded while the one before is multiplied.
template <int kWaves, int kColumns>
struct Scales {
  static constexpr int kGroup = common_divisor(kColumns, kScaleBlock);  // columns that surely share a scale
  static constexpr int kOfB = kGroup == kColumns ? 1 : 2;
  static_assert(kColumns <= 2 * kScaleBlock && (kOfB == 1 || kColumns + kScaleBlock - kGroup <= 2 * kScaleBlock),
                "a tile meets at most two blocks of columns");
  const float *a[kWaves][2], *b[kOfB];
  int a_step, border;  // columns that have the first scale of B
  float of_a[kWaves][2], of_b[kOfB];

  // `row` is the thread's first: rows of waves follow each other by 64, and each has another 8 further on.
  __device__ void begin(const Arguments& given, int row, int column, int a_matrix, int b_matrix, int k_block) {
    a_step = given.m;
    const float* of_matrix = given.a_scales + (static_cast<std::size_t>(a_matrix) * given.k_blocks + k_block) * given.m;
#pragma unroll
    for (int wave = 0; wave < kWaves; ++wave)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        a[wave][half] = of_matrix + min(row + wave * kWaveRows + 8 * half, given.m - 1);
    border = kScaleBlock - column % kScaleBlock;
#pragma unroll
    for (int i = 0; i < kOfB; ++i) {
      const int block = min(column / kScaleBlock + i, given.n_blocks - 1);
      b[i] = given.b_scales + (static_cast<std::size_t>(b_matrix) * given.n_blocks + block) * given.k_blocks + k_block;
    }
    load();
  }
  __device__ void load() {
#pragma unroll
    for (int wave = 0; wave < kWaves; ++wave)
#pragma unroll
      for (int half = 0; half < 2; ++half) of_a[wave][half] = load_ahead(a[wave][half]);
#pragma unroll
    for (int i = 0; i < kOfB; ++i) of_b[i] = load_ahead(b[i]);
  }
  __device__ void step() {
#pragma unroll
    for (int wave = 0; wave < kWaves; ++wave)
#pragma unroll
      for (int half = 0; half < 2; ++half) a[wave][half] += a_step;
#pragma unroll
    for (int i = 0; i < kOfB; ++i) ++b[i];
  }
};

template <int kWaves, int kColumns>
struct Promoted {
  static constexpr int kSums = kColumns / 2;
  float total[kWaves][kSums];
  float sums[kSums];

  __device__ void clear() {
#pragma unroll
    for (int wave = 0; wave < kWaves; ++wave)
#pragma unroll
      for (int i = 0; i < kSums; ++i) total[wave][i] = 0;
#pragma unroll
    for (int i = 0; i < kSums; ++i) sums[i] = 0;
  }

  // 64 rows by 128 in K, begun but not waited for.
  __device__ void multiply(std::uint64_t a, std::uint64_t b) {
    hopper::hold(sums);
    hopper::wgmma_begin();
    hopper::wgmma<hopper::Sums::clear>(__nv_fp8_e4m3{}, sums, a, b);
#pragma unroll
    for (int k = 32; k < kDepth; k += 32)
      hopper::wgmma(__nv_fp8_e4m3{}, sums, hopper::advanced(a, k), hopper::advanced(b, k));
    hopper::wgmma_commit();
  }

  template <int kOfB>
  __device__ void promote(int wave, const float (&of_a)[2], const float (&of_b)[kOfB], int border) {
    constexpr int kGroup = Scales<kWaves, kColumns>::kGroup;
#pragma unroll
    for (int first = 0; first < kColumns; first += kGroup) {
      const float of_columns = kOfB == 1 || first < border ? of_b[0] : of_b[kOfB - 1];
      const float upper = of_a[0] * of_columns, lower = of_a[1] * of_columns;
#pragma unroll
      for (int i = first / 2; i < (first + kGroup) / 2; i += 4) {
        total[wave][i] = fmaf(upper, sums[i], total[wave][i]);
        total[wave][i + 1] = fmaf(upper, sums[i + 1], total[wave][i + 1]);
        total[wave][i + 2] = fmaf(lower, sums[i + 2], total[wave][i + 2]);
        total[wave][i + 3] = fmaf(lower, sums[i + 3], total[wave][i + 3]);
      }
    }
  }
};

// One stage: every wave's products, each promoted while another warpgroup's are computed. `released` is called when the
// stage's operands have been read, `last` says that no block of K follows.
template <int kWaves, int kColumns, class Released>
__device__ __forceinline__ void multiply_stage(Promoted<kWaves, kColumns>& sums, Scales<kWaves, kColumns>& scales,
                                               std::uint64_t a, std::uint64_t b, bool last, const Released& released) {
  using Of = Scales<kWaves, kColumns>;
  float of_a[kWaves][2], of_b[Of::kOfB];
#pragma unroll
  for (int wave = 0; wave < kWaves; ++wave) {
    sums.multiply(hopper::advanced(a, wave * kWaveRows * kDepth), b);
    if (wave == 0) {
#pragma unroll
      for (int i = 0; i < kWaves; ++i) of_a[i][0] = scales.of_a[i][0], of_a[i][1] = scales.of_a[i][1];
#pragma unroll
      for (int i = 0; i < Of::kOfB; ++i) of_b[i] = scales.of_b[i];
      if (!last) scales.step();
      scales.load();
    }
    hopper::wgmma_wait<0>();
    hopper::hold(sums.sums);
    if (wave == kWaves - 1) released();
    sums.promote(wave, of_a[wave], of_b, scales.border);
  }
}

}  // namespace kernels::scaled
