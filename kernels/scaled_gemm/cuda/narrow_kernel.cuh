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
  static constexpr int kFit = (kSharedMax - kSharedAlignment - kBarrierBytes) / kStageBytes;
  static constexpr int kStages = kFit < kStagesMax ? kFit : kStagesMax;
  static constexpr int kSharedBytes = kSharedAlignment + kBarrierBytes + kStages * kStageBytes;
  // A part of the sums as fp32, where the stages were: rows lie so that a warp's pairs meet different banks.
  static constexpr int kPitch = kColumns + 8;
  static_assert(kColumns % 16 == 0 && kRows * kPitch * 4 <= kStages * kStageBytes);
};

template <class Shape>
struct NarrowRing : hopper::RingBarriers<Shape::kStages> {
  std::uint32_t stages;

  __device__ explicit NarrowRing(std::uint32_t base)
      : hopper::RingBarriers<Shape::kStages>(aligned(base) + Shape::kStages * Shape::kStageBytes),
        stages(aligned(base)) {}
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

template <class Shape>
__device__ __forceinline__ void load_part(const Arguments& given, const NarrowRing<Shape>& ring,
                                          const NarrowTile& tile) {
  hopper::Turn<Shape::kStages> turn;
  for (int block = tile.begin; block < tile.end; ++block, turn.next()) {
    ring.wait_empty(turn);
    const std::uint32_t full = ring.full_at(turn.stage);
    hopper::expect_bytes(full, Shape::kStageBytes);
    hopper::load(ring.b(turn.stage), given.b, block * kDepth, tile.column, tile.matrix, full, hopper::Keep::briefly);
    hopper::load(ring.a(turn.stage), given.a, block * kDepth, tile.row, tile.matrix, full, hopper::Keep::long_);
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
    Scales<1, Shape::kColumns> scales;
    scales.begin(given, tile.row + row, tile.column, tile.matrix, tile.matrix, tile.begin);
    hopper::Turn<Shape::kStages> turn;
    for (int block = tile.begin; block < tile.end; ++block, turn.next()) {
      const std::uint32_t offset = turn.stage * Shape::kStageBytes;
      ring.wait_full(turn);
      multiply_stage(sums, scales, hopper::advanced(a, offset), hopper::advanced(b, offset), block + 1 == tile.end,
                     [&] { ring.release_by_warp(turn.stage); });
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

// This block's rows of the tile: the sum of all blocks' parts, four columns at a time.
template <class Shape>
__device__ __forceinline__ void add_parts(const Arguments& given, const NarrowRing<Shape>& ring, const NarrowTile& tile,
                                          int rank) {
  constexpr int kOwn = Shape::kRows / Shape::kParts, kQuads = Shape::kColumns / 4;
  auto* output = static_cast<__nv_bfloat16*>(given.output);
  for (int i = threadIdx.x; i < kOwn * kQuads; i += Shape::kThreads) {
    const int row = rank * kOwn + i / kQuads, column = i % kQuads * 4;
    const std::uint32_t at = ring.stages + (row * Shape::kPitch + column) * 4;
    float part[Shape::kParts][4];
#pragma unroll
    for (int block = 0; block < Shape::kParts; ++block)
      asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(part[block][0]), "=f"(part[block][1]), "=f"(part[block][2]), "=f"(part[block][3])
                   : "r"(hopper::address_in(at, static_cast<std::uint32_t>(block)))
                   : "memory");
    float sum[4] = {};
#pragma unroll
    for (int block = 0; block < Shape::kParts; ++block)
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] += part[block][j];
    if (tile.row + row >= given.m || tile.column + column >= given.n) continue;
    const std::size_t to = (static_cast<std::size_t>(tile.matrix) * given.m + tile.row + row) * given.n + tile.column;
    const uint2 words{hopper::pack(__nv_bfloat16{}, sum[0], sum[1]), hopper::pack(__nv_bfloat16{}, sum[2], sum[3])};
    *reinterpret_cast<uint2*>(output + to + column) = words;
  }
}

template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1) narrow_kernel(const __grid_constant__ Arguments given) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  const NarrowRing<Shape> ring(hopper::shared_address(shared));
  const int rank = static_cast<int>(blockIdx.x) % Shape::kParts, matrix = static_cast<int>(blockIdx.z);
  const NarrowTile tile{.row = static_cast<int>(blockIdx.y) * Shape::kRows,
                        .column = static_cast<int>(blockIdx.x) / Shape::kParts * Shape::kColumns,
                        .matrix = matrix,
                        .begin = given.k_blocks * rank / Shape::kParts,
                        .end = given.k_blocks * (rank + 1) / Shape::kParts};
  if (given.grouping == Grouping::masked && tile.row >= given.groups[matrix]) return;  // the whole cluster
  if (threadIdx.x == 0) {
    hopper::prefetch(given.a);
    hopper::prefetch(given.b);
    ring.init(Shape::kGroups * kWarpgroupWarps);
    hopper::fence_barrier_init();
  }
  __syncthreads();
  const int group = hopper::warpgroup_number();
  if (group < Shape::kGroups)
    multiply_part(given, ring, tile, group);
  else if (threadIdx.x == Shape::kGroups * kWarpgroup)
    load_part(given, ring, tile);
  __syncwarp();
  hopper::cluster_sync();
  add_parts(given, ring, tile, rank);
  if constexpr (Shape::kParts > 1) hopper::cluster_sync();  // none ends while others read its part
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
