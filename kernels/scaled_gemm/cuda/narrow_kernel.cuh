// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel for few rows, where reading B from memory is all the time there is: the blocks of a cluster share the sum
// over K of one tile and add their parts through each other's shared memory, always in the same order.

#include <cuda_bf16.h>

#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/fragments.cuh"
#include "kernels/hopper/ring.cuh"
#include "kernels/scaled_gemm/cuda/promoted.cuh"

namespace kernels::scaled {

using hopper::kWarp, hopper::kWarpgroup, hopper::kWarpgroupWarps;

template <int kTileRows, int kTileColumns, int kBlocks>
struct NarrowShape {
  static constexpr int kRows = kTileRows, kColumns = kTileColumns, kParts = kBlocks;
  static constexpr int kGroups = kRows / kWaveRows;  // warpgroups that multiply
  static constexpr int kThreads = kGroups * kWarpgroup + kWarp;
  static constexpr int kABytes = kRows * kDepth, kBBytes = kColumns * kDepth, kStageBytes = kABytes + kBBytes;
  static constexpr int kScaleBytes = kRows * 4, kEach = kStageBytes + kScaleBytes;
  static constexpr int kFit = (kSharedMax - kSharedAlignment - kBarrierBytes) / kEach;
  static constexpr int kStages = kFit < kStagesMax ? kFit : kStagesMax;
  static constexpr int kSharedBytes = kSharedAlignment + kBarrierBytes + kStages * kEach;
  // A part of the sums as fp32, where the stages were: rows lie so that a warp's pairs meet different banks.
  static constexpr int kPitch = kColumns + 8;
  static_assert(kColumns % 16 == 0 && kRows * kPitch * 4 <= kStages * kStageBytes);
};

template <class Shape>
struct NarrowRing : hopper::RingBarriers<Shape::kStages> {
  std::uint32_t stages, scales;

  __device__ explicit NarrowRing(std::uint32_t base)
      : hopper::RingBarriers<Shape::kStages>(aligned(base) + Shape::kStages * Shape::kEach),
        stages(aligned(base)),
        scales(stages + Shape::kStages * Shape::kStageBytes) {}
  __device__ static std::uint32_t aligned(std::uint32_t base) {
    return (base + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
  }
  __device__ std::uint32_t a(int stage) const { return stages + stage * Shape::kStageBytes; }
  __device__ std::uint32_t b(int stage) const { return a(stage) + Shape::kABytes; }
};

// Which tile a cluster computes, and which blocks of K this one of its blocks adds.
struct NarrowTile {
  int row, column, matrix, begin, end;
};

// The first stages' part of B is begun before the launch in front has ended, where its values do not depend on it.
template <class Shape>
__device__ __forceinline__ void load_part(const Arguments& given, const NarrowRing<Shape>& ring,
                                          const NarrowTile& tile) {
  const auto load_a = [&](int stage, int block) {
    hopper::load(ring.a(stage), given.a, block * kDepth, tile.row, tile.matrix, ring.full_at(stage),
                 hopper::Keep::long_);
    hopper::load(ring.scales + stage * Shape::kScaleBytes, given.a_scale_map, tile.row, block, tile.matrix,
                 ring.full_at(stage), hopper::Keep::long_);
  };
  const auto load_b = [&](int stage, int block) {
    hopper::expect_bytes(ring.full_at(stage), Shape::kEach);
    hopper::load(ring.b(stage), given.b, block * kDepth, tile.column, tile.matrix, ring.full_at(stage),
                 hopper::Keep::briefly);
  };
  const int first = min(Shape::kStages, tile.end - tile.begin);
  if (!given.b_is_ready) hopper::wait_for_previous();
  for (int i = 0; i < first; ++i) load_b(i, tile.begin + i);
  hopper::wait_for_previous();
  for (int i = 0; i < first; ++i) load_a(i, tile.begin + i);
  hopper::Turn<Shape::kStages> turn;
  turn.phase = 1;  // the second time round
  for (int block = tile.begin + Shape::kStages; block < tile.end; ++block, turn.next()) {
    ring.wait_empty(turn);
    load_b(turn.stage, block);
    load_a(turn.stage, block);
  }
}

template <class Shape>
__device__ __forceinline__ void multiply_part(const Arguments& given, const NarrowRing<Shape>& ring,
                                              const NarrowTile& tile, int group) {
  const int thread = threadIdx.x % kWarpgroup;
  const int row = group * kWaveRows + thread / kWarp * 16 + thread % kWarp / 4;
  Promoted<1, Shape::kColumns> sums;
  sums.clear();
  if (tile.begin < tile.end) {
    const std::uint64_t a = hopper::descriptor<hopper::Swizzle::bytes128>(ring.a(0) + group * kWaveRows * kDepth, 16);
    const std::uint64_t b = hopper::descriptor<hopper::Swizzle::bytes128>(ring.b(0), 16);
    ColumnScales<Shape::kColumns> scales;
    scales.begin(given, tile.column, tile.matrix, tile.begin);
    hopper::Turn<Shape::kStages> turn;
    for (int block = tile.begin; block < tile.end; ++block, turn.next()) {
      const std::uint32_t offset = turn.stage * Shape::kStageBytes;
      ring.wait_full(turn);
      multiply_stage(sums, scales,
                     {hopper::advanced(a, offset), hopper::advanced(b, offset),
                      ring.scales + turn.stage * Shape::kScaleBytes + row * 4},
                     block + 1 == tile.end, NoTurns{}, [&] { ring.release_by_warp(turn.stage); });
    }
  }
  hopper::named_sync(1, Shape::kGroups * kWarpgroup);  // all stages have been read
  const std::uint32_t part = ring.stages + (row * Shape::kPitch + thread % 4 * 2) * 4;
#pragma unroll
  for (int i = 0; i < Shape::kColumns / 2; i += 4) {
    const std::uint32_t to = part + i / 4 * 32;
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to), "f"(sums.total[0][i]), "f"(sums.total[0][i + 1])
                 : "memory");
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to + 8 * Shape::kPitch * 4), "f"(sums.total[0][i + 2]),
                 "f"(sums.total[0][i + 3])
                 : "memory");
  }
}

// This block's rows of the tile: the sum of all blocks' parts, four columns at a time. All are read before any is
// added.
template <class Shape>
__device__ __forceinline__ void add_parts(const Arguments& given, const NarrowRing<Shape>& ring, const NarrowTile& tile,
                                          int rank) {
  constexpr int kOwn = Shape::kRows / Shape::kParts, kQuads = Shape::kColumns / 4;
  constexpr int kEach = (kOwn * kQuads + Shape::kThreads - 1) / Shape::kThreads;
  float part[kEach][Shape::kParts][4];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int quad = min(i * Shape::kThreads + static_cast<int>(threadIdx.x), kOwn * kQuads - 1);
    const std::uint32_t at = ring.stages + ((rank * kOwn + quad / kQuads) * Shape::kPitch + quad % kQuads * 4) * 4;
#pragma unroll
    for (int block = 0; block < Shape::kParts; ++block)
      asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(part[i][block][0]), "=f"(part[i][block][1]), "=f"(part[i][block][2]), "=f"(part[i][block][3])
                   : "r"(hopper::address_in(at, static_cast<std::uint32_t>(block)))
                   : "memory");
  }
  if constexpr (Shape::kParts > 1) hopper::cluster_arrive();
  auto* output = static_cast<__nv_bfloat16*>(given.output);
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int quad = i * Shape::kThreads + static_cast<int>(threadIdx.x);
    const int row = tile.row + rank * kOwn + quad / kQuads, column = tile.column + quad % kQuads * 4;
    float sum[4] = {};
#pragma unroll
    for (int block = 0; block < Shape::kParts; ++block)
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] += part[i][block][j];
    if (quad >= kOwn * kQuads || row >= given.m || column >= given.n) continue;
    const std::size_t to = (static_cast<std::size_t>(tile.matrix) * given.m + row) * given.n + column;
    const uint2 words{hopper::pack(__nv_bfloat16{}, sum[0], sum[1]), hopper::pack(__nv_bfloat16{}, sum[2], sum[3])};
    *reinterpret_cast<uint2*>(output + to) = words;
  }
  if constexpr (Shape::kParts > 1) hopper::cluster_wait();  // none ends while others read its part
}

template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1) narrow_kernel(const __grid_constant__ Arguments given) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  const NarrowRing<Shape> ring(__shfl_sync(~0u, hopper::shared_address(shared), 0));
  const int rank = static_cast<int>(blockIdx.x) % Shape::kParts, matrix = static_cast<int>(blockIdx.z);
  const NarrowTile tile{.row = static_cast<int>(blockIdx.y) * Shape::kRows,
                        .column = static_cast<int>(blockIdx.x) / Shape::kParts * Shape::kColumns,
                        .matrix = matrix,
                        .begin = given.k_blocks * rank / Shape::kParts,
                        .end = given.k_blocks * (rank + 1) / Shape::kParts};
  if (given.grouping == Grouping::masked) hopper::wait_for_previous();
  if (given.grouping == Grouping::masked && tile.row >= given.groups[matrix]) return;  // the whole cluster
  if (threadIdx.x == 0) {
    hopper::prefetch(given.a);
    hopper::prefetch(given.b);
    hopper::prefetch(given.a_scale_map);
    ring.init(Shape::kGroups * kWarpgroupWarps);
    hopper::fence_barrier_init();
  }
  __syncthreads();
  hopper::let_next_begin();
  const int group = hopper::warpgroup_number();
  if (threadIdx.x == Shape::kGroups * kWarpgroup) {
    load_part(given, ring, tile);
  } else {
    hopper::wait_for_previous();
    if (group < Shape::kGroups) multiply_part(given, ring, tile, group);
  }
  __syncwarp();
  hopper::cluster_sync();
  add_parts(given, ring, tile, rank);
#endif
}

template <int kRows, int kColumns, int kParts>
NarrowForm narrow_form() {
  using Shape = NarrowShape<kRows, kColumns, kParts>;
  return {.rows = kRows,
          .columns = kColumns,
          .parts = kParts,
          .threads = Shape::kThreads,
          .kernel = narrow_kernel<Shape>,
          .shared_bytes = Shape::kSharedBytes};
}

}  // namespace kernels::scaled
