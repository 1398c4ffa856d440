// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wide kernel's tile in shared memory, the walk over tiles that all warps of a cluster make alike, and the thread
// that loads.

#include <type_traits>

#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/ring.cuh"
#include "kernels/scaled_gemm/cuda/promoted.cuh"
#include "kernels/scaled_gemm/stages.hpp"

namespace kernels::scaled {

using hopper::kWarp, hopper::kWarpgroup, hopper::kWarpgroupWarps;

template <int kTileRows, int kTileColumns, int kBlocks, bool kTurns, int kAskedStages>
struct WideShape {
  static constexpr int kRows = kTileRows, kColumns = kTileColumns, kCluster = kBlocks;
  static constexpr int kGroups = consumers_of(kRows), kThreads = (kGroups + 1) * kWarpgroup;
  using Order = std::conditional_t<kTurns, Turns<kGroups>, NoTurns>;
  static constexpr StagePlan kPlan = plan_stages(kRows, kColumns, kAskedStages);
  static_assert(kPlan.stages >= 2, "one stage is read while one is on its way");
  static_assert(kPlan.buffers >= 1, "the epilogue has a buffer");
  static constexpr int kStages = kPlan.stages;
  static constexpr int kWaves = kRows / (kGroups * kWaveRows);  // of 64 rows, for each multiplying warpgroup
  static constexpr int kABytes = kRows * kDepth, kBBytes = kColumns * kDepth;
  static_assert(kRows % (kGroups * kWaveRows) == 0 && kColumns % 8 == 0 && kRows / kCluster <= 256);
};

template <class Shape>
struct WideRing : hopper::RingBarriers<Shape::kStages> {
  using Barriers = hopper::RingBarriers<Shape::kStages>;
  static constexpr StagePlan kPlan = Shape::kPlan;
  std::uint32_t stages, buffers, scales;

  // `base` is where the block's shared memory begins, at the same address in all blocks of a cluster.
  __device__ explicit WideRing(std::uint32_t base)
      : Barriers(aligned(base) + kPlan.stages * (kPlan.stage_bytes + kPlan.scale_bytes) +
                 Shape::kGroups * kPlan.buffers * kPlan.buffer_bytes),
        stages(aligned(base)),
        buffers(stages + kPlan.stages * kPlan.stage_bytes),
        scales(buffers + Shape::kGroups * kPlan.buffers * kPlan.buffer_bytes) {}
  __device__ static std::uint32_t aligned(std::uint32_t base) {
    return (base + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
  }
  __device__ std::uint32_t a(int stage) const { return stages + stage * kPlan.stage_bytes; }
  __device__ std::uint32_t b(int stage) const { return a(stage) + Shape::kABytes; }
  __device__ std::uint32_t buffer(int consumer, int number) const {
    return buffers + (consumer * kPlan.buffers + number) * kPlan.buffer_bytes;
  }

  // By one thread, before the others touch it.
  __device__ void init() const {
    Barriers::init(Shape::kCluster * Shape::kGroups * kWarpgroupWarps);
    hopper::fence_barrier_init();
  }
  __device__ void release(int stage) const {
    if constexpr (Shape::kCluster == 1)
      this->release_by_warp(stage);
    else
      this->release_by_warp(stage, Shape::kCluster);
  }
};

struct Tile {
  int row, column, a_matrix, b_matrix;
};

// A cluster's tiles one after another. Its blocks have neighbouring columns of one tile of rows.
template <class Shape>
struct Walk {
  int index, workers, rank;
  int matrix = 0, before = 0;  // masked: tiles of the matrices before this one

  __device__ Walk()
      : index(blockIdx.x / Shape::kCluster),
        workers(gridDim.x / Shape::kCluster),
        rank(Shape::kCluster == 1 ? 0 : static_cast<int>(hopper::cluster_rank())) {}

  __device__ void place(const TileOrder& order, int at, Tile& tile) const {
    const TileOrder::Place place = order.at(at);
    tile.row = place.row_tile * Shape::kRows;
    tile.column = (place.column * Shape::kCluster + rank) * Shape::kColumns;
  }

  __device__ bool next(const Arguments& given, Tile& tile) {
    const int tiles = given.order.tiles();
    if (given.grouping == Grouping::masked) {
      TileOrder order = given.order;
      for (; matrix < given.matrices; ++matrix) {
        order.row_tiles = (min(given.groups[matrix], given.m) + Shape::kRows - 1) / Shape::kRows;
        if (index < before + order.tiles()) break;
        before += order.tiles();
      }
      if (matrix == given.matrices) return false;
      tile.a_matrix = tile.b_matrix = matrix;
      place(order, index - before, tile);
    } else if (given.grouping == Grouping::contiguous) {
      do {
        if (index >= tiles) return false;
        place(given.order, index, tile);
        tile.a_matrix = 0;
        tile.b_matrix = given.groups[tile.row / given.alignment];
        index += workers;
      } while (tile.b_matrix < 0);
      return true;
    } else {
      if (index >= tiles * given.matrices) return false;
      tile.a_matrix = tile.b_matrix = index / tiles;
      place(given.order, index % tiles, tile);
    }
    index += workers;
    return true;
  }
};

// By one thread of each block.
template <class Shape>
__device__ __forceinline__ void load_tiles(const Arguments& given, const WideRing<Shape>& ring) {
  constexpr int kPart = Shape::kRows / Shape::kCluster;  // rows of A that this block loads for all
  hopper::Turn<Shape::kStages> turn;
  Walk<Shape> walk;
  for (Tile tile; walk.next(given, tile);)
    for (int block = 0; block < given.k_blocks; ++block, turn.next()) {
      ring.wait_empty(turn);
      const std::uint32_t full = ring.full_at(turn.stage), a = ring.a(turn.stage);
      hopper::expect_bytes(full, Shape::kPlan.stage_bytes + Shape::kPlan.scale_bytes);
      hopper::load(ring.scales + turn.stage * Shape::kPlan.scale_bytes, given.a_scale_map, tile.row, block,
                   tile.a_matrix, full, hopper::Keep::normal);
      if constexpr (Shape::kCluster == 1)
        hopper::load(a, given.a, block * kDepth, tile.row, tile.a_matrix, full, hopper::Keep::normal);
      else
        hopper::load_to_blocks(a + walk.rank * kPart * kDepth, given.a, block * kDepth, tile.row + walk.rank * kPart,
                               tile.a_matrix, full, (1 << Shape::kCluster) - 1, hopper::Keep::normal);
      hopper::load(ring.b(turn.stage), given.b, block * kDepth, tile.column, tile.b_matrix, full, hopper::Keep::normal);
    }
}

}  // namespace kernels::scaled
