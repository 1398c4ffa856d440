// SPDX-License-Identifier: Apache-2.0
#pragma once

// One warpgroup's sums: 64 x kColumns products of 128 in K by wgmma, then promoted to fp32 with both scales. The tensor
// cores add e4m3 products with fewer bits than fp32 has, so no more than 128 are left to them.

#include "kernels/hopper/barrier.cuh"
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

// The scales of B that a tile needs, of one block of K, loaded while the one before is multiplied.
template <int kColumns>
struct ColumnScales {
  static constexpr int kGroup = common_divisor(kColumns, kScaleBlock);  // columns that surely share a scale
  static constexpr int kCount = kGroup == kColumns ? 1 : 2;
  static_assert(kColumns <= 2 * kScaleBlock && (kCount == 1 || kColumns + kScaleBlock - kGroup <= 2 * kScaleBlock),
                "a tile meets at most two blocks of columns");
  const float* at[kCount];
  int border;  // columns that have the first scale
  float value[kCount];

  __device__ void begin(const Arguments& given, int column, int matrix, int k_block) {
    border = kScaleBlock - column % kScaleBlock;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const int block = min(column / kScaleBlock + i, given.n_blocks - 1);
      at[i] = given.b_scales + (static_cast<std::size_t>(matrix) * given.n_blocks + block) * given.k_blocks + k_block;
    }
    load();
  }
  __device__ void load() {
#pragma unroll
    for (int i = 0; i < kCount; ++i) value[i] = load_ahead(at[i]);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < kCount; ++i) ++at[i];
  }
};

__device__ __forceinline__ float load_shared(std::uint32_t from) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(from) : "memory");
  return value;
}

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
    constexpr int kGroup = ColumnScales<kColumns>::kGroup;
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

// Warpgroups that do not take turns.
struct NoTurns {
  int group = 0;
  __device__ void begin() const {}
  __device__ void wait() const {}
  __device__ void pass() const {}
};

// Those that do: one begins its products when the one before it has begun its own, so that the tensor cores finish one
// warpgroup's before the next one's, and one promotes while another's are computed.
template <int kGroups>
struct Turns {
  static constexpr int kFirstBarrier = kGroups + 1, kThreads = 2 * hopper::kWarpgroup;
  int group;
  __device__ void begin() const {
    if (group == kGroups - 1) hopper::named_arrive(kFirstBarrier, kThreads);
  }
  __device__ void wait() const { hopper::named_sync(kFirstBarrier + group, kThreads); }
  __device__ void pass() const {
    hopper::named_arrive(kFirstBarrier + (group == kGroups - 1 ? 0 : group + 1), kThreads);
  }
};

// Where a stage's operands and scales lie for one thread: descriptors, and the scale of its first row; rows of waves
// follow each other by 64, and each has another 8 further on.
struct StageOperands {
  std::uint64_t a, b;
  std::uint32_t scales;
};

// One stage: every wave's products, each promoted while another warpgroup's are computed. `released` is called when the
// stage has been read, `last` says that no block of K follows.
template <int kWaves, int kColumns, class Order, class Released>
__device__ __forceinline__ void multiply_stage(Promoted<kWaves, kColumns>& sums, ColumnScales<kColumns>& scales,
                                               const StageOperands& stage, bool last, const Order& order,
                                               const Released& released) {
  constexpr int kOfB = ColumnScales<kColumns>::kCount;
  float of_a[kWaves][2], of_b[kOfB];
#pragma unroll
  for (int wave = 0; wave < kWaves; ++wave) {
    order.wait();
    sums.multiply(hopper::advanced(stage.a, wave * kWaveRows * kDepth), stage.b);
    if (wave == 0) {
#pragma unroll
      for (int i = 0; i < kWaves; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) of_a[i][half] = load_shared(stage.scales + (i * kWaveRows + 8 * half) * 4);
#pragma unroll
      for (int i = 0; i < kOfB; ++i) of_b[i] = scales.value[i];
      if (!last) scales.step();
      scales.load();
    }
    order.pass();
    hopper::wgmma_wait<0>();
    hopper::hold(sums.sums);
    if (wave == kWaves - 1) released();
    sums.promote(wave, of_a[wave], of_b, scales.border);
  }
}

}  // namespace kernels::scaled
