// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel for many rows: persistent blocks, or clusters of two that share rows of A by multicast. One thread loads;
// two or three warpgroups multiply, each its own rows of a tile, and promote their sums in turn, so that the tensor
// cores work for one while the other adds.

#include "kernels/hopper/fragments.cuh"
#include "kernels/scaled_gemm/cuda/promoted.cuh"
#include "kernels/scaled_gemm/cuda/wide_tile.cuh"

namespace kernels::scaled {

// A warpgroup's part of a tile, 64 rows and some columns at a time, through shared memory by the copy engine.
template <class Shape>
__device__ __forceinline__ void store_tile(const Arguments& given, const WideRing<Shape>& ring, const Tile& tile,
                                           int group, const float (&total)[Shape::kWaves][Shape::kColumns / 2]) {
  constexpr int kWidth = Shape::kPlan.store_columns, kBuffers = Shape::kPlan.buffers;
  constexpr int kParts = Shape::kColumns / kWidth;
  constexpr hopper::Swizzle kSwizzle{kWidth * 2};
  const int thread = threadIdx.x % kWarpgroup, lane = thread % kWarp;
  const int row = thread / kWarp * 16 + lane % 16;
#pragma unroll
  for (int wave = 0; wave < Shape::kWaves; ++wave)
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      const std::uint32_t buffer = ring.buffer(group, (wave * kParts + part) % kBuffers);
      if (thread == 0) hopper::wait_stores_read<kBuffers - 1>();
      hopper::warpgroup_sync(group + 1);
#pragma unroll
      for (int pair = 0; pair < kWidth / 16; ++pair) {
        const int from = (part * kWidth + pair * 16) / 2;
        std::uint32_t words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
          words[i] = hopper::pack(__nv_bfloat16{}, total[wave][from + 2 * i], total[wave][from + 2 * i + 1]);
        hopper::store_matrices(buffer + hopper::swizzled<kSwizzle>(row, 2 * pair + lane / 16), words);
      }
      hopper::fence_for_copies();
      hopper::warpgroup_sync(group + 1);
      if (thread == 0) {
        hopper::store(given.c, buffer, tile.column + part * kWidth,
                      tile.row + (group * Shape::kWaves + wave) * kWaveRows, tile.a_matrix, hopper::Keep::briefly);
        hopper::commit_stores();
      }
    }
}

template <class Shape>
__device__ __forceinline__ void multiply_tiles(const Arguments& given, const WideRing<Shape>& ring, int group) {
  constexpr int kWaves = Shape::kWaves, kColumns = Shape::kColumns;
  const int thread = threadIdx.x % kWarpgroup;
  const int first_row = group * kWaves * kWaveRows;
  const int row = first_row + thread / kWarp * 16 + thread % kWarp / 4;
  const std::uint64_t a = hopper::descriptor<hopper::Swizzle::bytes128>(ring.a(0) + first_row * kDepth, 16);
  const std::uint64_t b = hopper::descriptor<hopper::Swizzle::bytes128>(ring.b(0), 16);
  hopper::Turn<Shape::kStages> turn;
  Walk<Shape> walk;
  const typename Shape::Order order{group};
  order.begin();
  Promoted<kWaves, kColumns> sums;
  ColumnScales<kColumns> scales;
  for (Tile tile; walk.next(given, tile);) {
    scales.begin(given, tile.column, tile.b_matrix, 0);
    sums.clear();
    for (int block = 0; block < given.k_blocks; ++block, turn.next()) {
      const std::uint32_t offset = turn.stage * Shape::kPlan.stage_bytes;
      ring.wait_full(turn);
      multiply_stage(sums, scales,
                     {hopper::advanced(a, offset), hopper::advanced(b, offset),
                      ring.scales + turn.stage * Shape::kPlan.scale_bytes + row * 4},
                     block + 1 == given.k_blocks, order, [&] { ring.release(turn.stage); });
    }
    store_tile<Shape>(given, ring, tile, group, sums.total);
  }
  hopper::wait_stores_read<0>();
}

template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1) wide_kernel(const __grid_constant__ Arguments given) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  // Read from one lane, so that descriptors stay in uniform registers.
  const WideRing<Shape> ring(__shfl_sync(~0u, hopper::shared_address(shared), 0));
  if (threadIdx.x == 0) {
    hopper::prefetch(given.a);
    hopper::prefetch(given.b);
    hopper::prefetch(given.a_scale_map);
    hopper::prefetch(given.c);
    ring.init();
  }
  __syncthreads();
  if constexpr (Shape::kCluster > 1) hopper::cluster_sync();
  hopper::let_next_begin();
  hopper::wait_for_previous();

  const int group = hopper::warpgroup_number();
  constexpr int kGroups = Shape::kGroups;
  if (group == kGroups) {
    hopper::give_registers<kGroups == 3 ? 32 : 40>();
    if (threadIdx.x == kGroups * kWarpgroup) load_tiles(given, ring);
  } else {
    hopper::take_registers<kGroups == 3 ? 160 : 232>();
    multiply_tiles(given, ring, group);
  }
  // A block's copies and arrivals reach the others': none ends before they have come.
  if constexpr (Shape::kCluster > 1) hopper::cluster_sync();
#endif
}

template <int kRows, int kColumns, int kCluster, bool kTurns = true, int kStages = 0>
WideForm wide_form() {
  using Shape = WideShape<kRows, kColumns, kCluster, kTurns, kStages>;
  return {.rows = kRows,
          .columns = kColumns,
          .cluster = kCluster,
          .turns = kTurns,
          .asked_stages = kStages,
          .stages = Shape::kStages,
          .store_columns = Shape::kPlan.store_columns,
          .threads = Shape::kThreads,
          .kernel = wide_kernel<Shape>,
          .shared_bytes = Shape::kPlan.shared_bytes};
}

}  // namespace kernels::scaled
