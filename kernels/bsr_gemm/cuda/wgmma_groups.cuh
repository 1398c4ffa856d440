// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wgmma kernel for blocks of 32 rows with eight block rows taken together: a tile of 256 rows and 128 columns goes
// through the columns that any of its rows has a block in. What is loaded of B serves them all, where one row alone
// would need more than the L2 gives. Computed transposed, as in the form for one row.

#include "kernels/bsr_gemm/cuda/groups.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_kernel.cuh"

namespace kernels::bsr {

template <int kBlocksOfCluster>
struct GroupShape {
  static constexpr int kConsumers = 2, kGroup = 8;
  static constexpr int kRows = 32, kDepth = 32, kCluster = kBlocksOfCluster, kColumns = 128;
  static constexpr int kBoxes = kColumns / kBBoxColumns;
  static constexpr int kBlockBytes = kRows * kDepth * kElementBytes;
  static constexpr int kABytes = kGroup * kBlockBytes;  // room for all, each row's in its own place
  static constexpr int kBoxBytes = kBBoxColumns * kDepth * kElementBytes;
  static constexpr int kStageBytes = kABytes + kBoxes * kBoxBytes;
  static constexpr int kStoreBytes = kRows * kBBoxColumns * kElementBytes, kStoreBuffers = 2;
  static constexpr int kStagingBytes = kConsumers * kStoreBuffers * kStoreBytes;
  static constexpr int kAlignment = 1024, kBarrierBytes = 256;
  static constexpr int kStages = 8;
  static constexpr int kSharedBytes = kAlignment + kBarrierBytes + kStagingBytes + kStages * kStageBytes;
  static_assert(kSharedBytes <= 227 * 1024, "what a block can have");
};

// The first lanes each load the blocks of their own row, the next ones the columns of B.
template <class Shape>
__device__ __forceinline__ void load_group_stage(const WgmmaArguments& given, const Ring<Shape>& ring, int stage,
                                                 int rows, int x, int block, int b_row, int column, int boxes) {
  constexpr int kShare = Shape::kRows / Shape::kCluster;
  const int lane = threadIdx.x % kWarp;
  const std::uint32_t full = ring.full_at(stage);
  if (lane < Shape::kGroup) {
    if ((rows >> lane & 1) == 0) return;
    const std::uint32_t to = ring.a(stage) + lane * Shape::kBlockBytes;
    if constexpr (Shape::kCluster == 1) {
      hopper::load(to, given.a, x, block * Shape::kRows, full, hopper::Keep::long_);
    } else {
      const int rank = static_cast<int>(hopper::cluster_rank());
      hopper::load_shared_by(to + rank * kShare * Shape::kDepth * kElementBytes, given.a, x,
                             block * Shape::kRows + rank * kShare, full, (1 << Shape::kCluster) - 1,
                             hopper::Keep::long_);
    }
  } else if (lane < Shape::kGroup + boxes) {
    const int i = lane - Shape::kGroup;
    hopper::load(ring.b(stage) + i * Shape::kBoxBytes, given.b, column + i * kBBoxColumns, b_row, full,
                 hopper::Keep::normal);
  }
}

// Like `produce`; lane r counts the blocks of row r as they come by.
template <class Shape>
__device__ __forceinline__ void produce_groups(const WgmmaArguments& given, const Ring<Shape>& ring, int worker,
                                               int rank) {
  const int lane = threadIdx.x % kWarp, all_rows = given.rows / Shape::kRows;
  const auto steps_of = [&](const Tile& tile, int from) {
    return from + lane < tile.end ? given.order[from + lane] : 0;
  };
  const auto first_block = [&](const Tile& tile) {
    return given.row_begin[min(tile.row / Shape::kRows + lane, all_rows)];
  };
  int at = given.first[worker];
  const int last = given.first[worker + 1];
  if (at == last) return;
  Turn<Shape::kStages> turn;
  Tile tile = given.tiles[at];
  int steps = steps_of(tile, tile.begin), block = first_block(tile);
  for (; at < last; ++at) {
    const Tile next = given.tiles[at + 1 < last ? at + 1 : at];
    const int next_steps = steps_of(next, next.begin), next_block = first_block(next);
    const int column = tile.column + rank * Shape::kColumns;
    const int boxes = min(Shape::kBoxes, max(0, (given.n - column + kBBoxColumns - 1) / kBBoxColumns));
    for (int step = tile.begin; step < tile.end; ++step) {
      const int place = (step - tile.begin) % kWarp;
      if (place == 0 && step > tile.begin) steps = steps_of(tile, step);
      const int word = __shfl_sync(~0u, steps, place);
      const int rows = word & ((1 << kGroupRowsMax) - 1), b_row = (word >> kGroupRowsMax) * given.block_columns;
      for (int x = 0; x < given.block_columns; x += Shape::kDepth) {
        if (lane == 0) {
          hopper::wait(ring.empty_at(turn.stage), turn.phase ^ 1);
          hopper::expect_bytes(ring.full_at(turn.stage), __popc(rows) * Shape::kBlockBytes + boxes * Shape::kBoxBytes);
        }
        __syncwarp();
        load_group_stage(given, ring, turn.stage, rows, x, block, b_row + x, column, boxes);
        __syncwarp();
        turn.next();
      }
      block += rows >> lane & 1;
    }
    tile = next;
    steps = next_steps;
    block = next_block;
  }
}

// Of a warpgroup: 64 columns of all rows of the group.
template <class T, class Shape>
struct GroupSums {
  float sums[Shape::kGroup][16];

  __device__ void clear() {
#pragma unroll
    for (int row = 0; row < Shape::kGroup; ++row)
#pragma unroll
      for (int i = 0; i < 16; ++i) sums[row][i] = 0;
  }
  __device__ void hold() {
#pragma unroll
    for (int row = 0; row < Shape::kGroup; ++row) hopper::hold(sums[row]);
  }

  __device__ void multiply(const Ring<Shape>& ring, int stage, int group, int rows) {
    const std::uint32_t b = ring.b(stage) + group * Shape::kBoxBytes;
#pragma unroll
    for (int row = 0; row < Shape::kGroup; ++row)
      if (rows >> row & 1) {
#pragma unroll
        for (int k = 0; k < Shape::kDepth; k += 16)
          hopper::wgmma(T{}, sums[row], hopper::descriptor<hopper::Swizzle::bytes128>(b + k * 128, 16),
                        hopper::descriptor<hopper::Swizzle::bytes64>(
                            ring.a(stage) + row * Shape::kBlockBytes + k * kElementBytes, 16));
      }
  }

  __device__ void store(const WgmmaArguments& given, const Ring<Shape>& ring, const Tile& tile, int column, int group) {
    const int thread = threadIdx.x % kWarpgroup;
    const std::uint32_t mine = ring.staging + group * Shape::kStoreBuffers * Shape::kStoreBytes;
    const int x = column + group * kBBoxColumns;
#pragma unroll
    for (int row = 0; row < Shape::kGroup; ++row) {
      const std::uint32_t buffer = mine + row % Shape::kStoreBuffers * Shape::kStoreBytes;
      if (thread == 0) hopper::wait_stores_read<Shape::kStoreBuffers - 1>();
      hopper::warpgroup_sync(group + 1);
      stage_transposed<T>(sums[row], buffer);
      hopper::fence_for_copies();
      hopper::warpgroup_sync(group + 1);
      if (thread == 0) {
        const int y = tile.row + row * Shape::kRows;
        if (x < given.n && y < given.rows) hopper::store(given.c, buffer, x, y, hopper::Keep::briefly);
        hopper::commit_stores();
      }
    }
  }
};

template <class T, class Shape>
__device__ __forceinline__ void consume_groups(const WgmmaArguments& given, const Ring<Shape>& ring, int worker,
                                               int rank, int group) {
  const int lane = threadIdx.x % kWarp;
  const auto steps_of = [&](const Tile& tile, int from) {
    return from + lane < tile.end ? given.order[from + lane] : 0;
  };
  Turn<Shape::kStages> turn;
  int at = given.first[worker];
  const int last = given.first[worker + 1];
  if (at == last) return;
  Tile tile = given.tiles[at];
  int steps = steps_of(tile, tile.begin);
  GroupSums<T, Shape> sums;
  for (; at < last; ++at) {
    const Tile next = given.tiles[at + 1 < last ? at + 1 : at];
    const int next_steps = steps_of(next, next.begin);
    sums.clear();
    int before = -1;
    for (int step = tile.begin; step < tile.end; ++step) {
      const int place = (step - tile.begin) % kWarp;
      if (place == 0 && step > tile.begin) steps = steps_of(tile, step);
      const int rows = __shfl_sync(~0u, steps, place) & ((1 << kGroupRowsMax) - 1);
      for (int x = 0; x < given.block_columns; x += Shape::kDepth) {
        hopper::wait(ring.full_at(turn.stage), turn.phase);
        sums.hold();
        hopper::wgmma_begin();
        sums.multiply(ring, turn.stage, group, rows);
        hopper::wgmma_commit();
        sums.hold();
        hopper::wgmma_wait<1>();
        if (before >= 0) release(ring, before);
        before = turn.stage;
        turn.next();
      }
    }
    hopper::wgmma_wait<0>();
    sums.hold();
    if (before >= 0) release(ring, before);
    sums.store(given, ring, tile, tile.column + rank * Shape::kColumns, group);
    tile = next;
    steps = next_steps;
  }
  hopper::wait_stores_read<0>();
}

template <class T, class Shape>
__global__ void __launch_bounds__(threads_of<Shape>(), 1)
    wgmma_groups_kernel(const __grid_constant__ WgmmaArguments given) {
  extern __shared__ unsigned char shared[];
  const Ring<Shape> ring(hopper::shared_address(shared));
  begin_block(given, ring);
  const int group = threadIdx.x / kWarpgroup;
  const int rank = blockIdx.x % Shape::kCluster, worker = blockIdx.x / Shape::kCluster;
  if (group == Shape::kConsumers) {
    hopper::give_registers<40>();
    if (threadIdx.x / kWarp == Shape::kConsumers * kWarpgroupWarps) produce_groups(given, ring, worker, rank);
  } else {
    hopper::take_registers<232>();
    consume_groups<T>(given, ring, worker, rank, group);
  }
  if constexpr (Shape::kCluster > 1) hopper::cluster_sync();  // others may still write to this block's memory
}

template <class T, int kCluster>
WgmmaKernel wgmma_groups_entry() {
  using Shape = GroupShape<kCluster>;
  return {.config = {Shape::kGroup * Shape::kRows, Shape::kColumns, Shape::kDepth, kCluster},
          .kernel = wgmma_groups_kernel<T, Shape>,
          .threads = threads_of<Shape>(),
          .shared_bytes = Shape::kSharedBytes,
          .group_rows = Shape::kGroup,
          .a_box_rows = Shape::kRows / kCluster,
          .store_box_columns = kBBoxColumns,
          .store_box_rows = Shape::kRows};
}

}  // namespace kernels::bsr
