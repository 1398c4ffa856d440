// SPDX-License-Identifier: Apache-2.0
#pragma once

// What both forms of the wgmma kernel share: the tile's place in shared memory, the ring of stages, and the warp that
// fills it. One stage holds `depth` columns of a block of A and the rows of B that they multiply.

#include "kernels/bsr_gemm/cuda/wgmma_kernels.hpp"
#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/ring.cuh"

namespace kernels::bsr {

using hopper::kWarp, hopper::kWarpgroup, hopper::kWarpgroupWarps;
inline constexpr int kConsumers = 2;  // warpgroups that multiply
inline constexpr int kElementBytes = 2;

template <int kTileRows, int kTileDepth>
struct TileShape {
  static constexpr int kRows = kTileRows, kDepth = kTileDepth;
  static constexpr bool kOwnRows = kRows == 128;  // of a tile, for each of them; else they have their own columns
  static constexpr int kColumns = kOwnRows ? 256 : 512;
  static constexpr int kBoxes = kColumns / kBBoxColumns;
  static constexpr int kABytes = kRows * kDepth * kElementBytes;
  static constexpr int kBoxBytes = kBBoxColumns * kDepth * kElementBytes;
  static constexpr int kStageBytes = kABytes + kBoxes * kBoxBytes;

  // C leaves through shared memory: of tiles with 64 rows or more each warp stores its own 16 rows in pieces; a tile of
  // 32 rows is kept whole.
  static constexpr bool kTight = kStageBytes > 64 * 1024;  // three stages leave little
  static constexpr int kStoreColumns = kTight ? 32 : 64, kStoreBuffers = kTight ? 1 : 2;
  static constexpr int kStoreBytes = 16 * kStoreColumns * kElementBytes;
  static constexpr int kStagingBytes =
      kRows == 32 ? kRows * kColumns * kElementBytes : kConsumers * kWarpgroupWarps * kStoreBuffers * kStoreBytes;

  static constexpr int kAlignment = 1024, kBarrierBytes = 256, kSharedMax = 227 * 1024;
  static constexpr int kStages = (kSharedMax - kAlignment - kBarrierBytes - kStagingBytes) / kStageBytes;
  static constexpr int kSharedBytes = kAlignment + kBarrierBytes + kStagingBytes + kStages * kStageBytes;
  static_assert(kStages >= 3, "one stage is read while two are on their way");
  static_assert(kStages * 2 * 8 <= kBarrierBytes, "two barriers a stage");
  static_assert(kABytes % 1024 == 0, "tiles of B begin where the 128-byte swizzle repeats");
};

template <class Shape>
struct Ring : hopper::RingBarriers<Shape::kStages> {
  using Barriers = hopper::RingBarriers<Shape::kStages>;
  std::uint32_t stages, staging;

  // `base` is where the block's shared memory begins; the tiles begin at the next aligned address.
  __device__ explicit Ring(std::uint32_t base)
      : Barriers(aligned(base) + Shape::kStages * Shape::kStageBytes + Shape::kStagingBytes),
        stages(aligned(base)),
        staging(stages + Shape::kStages * Shape::kStageBytes) {}
  __device__ static std::uint32_t aligned(std::uint32_t base) {
    return (base + Shape::kAlignment - 1) / Shape::kAlignment * Shape::kAlignment;
  }
  __device__ std::uint32_t a(int stage) const { return stages + stage * Shape::kStageBytes; }
  __device__ std::uint32_t b(int stage) const { return a(stage) + Shape::kABytes; }

  // By one thread, before the others touch it.
  __device__ void init() const {
    Barriers::init(kConsumers * kWarpgroupWarps);
    hopper::fence_barrier_init();
  }
};

// Fills one stage; `y` is the row of the values where the tile's part of the block begins, `x` the column in the block.
template <class Shape>
__device__ __forceinline__ void load_stage(const WgmmaArguments& given, const Ring<Shape>& ring, int stage, int x,
                                           int y, int b_row, int column, int boxes) {
  const std::uint32_t full = ring.full_at(stage);
  hopper::expect_bytes(full, Shape::kABytes + (given.panels ? Shape::kBoxes : boxes) * Shape::kBoxBytes);
  hopper::load(ring.a(stage), given.a, x, y, full, hopper::Keep::long_);
  if (given.panels) {  // those beyond the matrix are filled with zeros
    hopper::load_panels(ring.b(stage), given.b, b_row, column / kBBoxColumns, full, hopper::Keep::normal);
    return;
  }
  for (int i = 0; i < boxes; ++i)
    hopper::load(ring.b(stage) + i * Shape::kBoxBytes, given.b, column + i * kBBoxColumns, b_row, full,
                 hopper::Keep::normal);
}

// The loading warp: goes through the worker's tiles and fills stage after stage as they become free. What the next tile
// needs to begin is fetched while this one's blocks are on their way.
template <class Shape>
__device__ __forceinline__ void produce(const WgmmaArguments& given, const Ring<Shape>& ring, int worker) {
  const int lane = threadIdx.x % kWarp;
  const auto columns_of = [&](const Tile& tile, int from) {
    return from + lane < tile.end ? given.block_column[from + lane] : 0;
  };
  int at = given.first[worker];
  const int last = given.first[worker + 1];
  if (at == last) return;
  hopper::Turn<Shape::kStages> turn;
  Tile tile = given.tiles[at];
  int columns = columns_of(tile, tile.begin);
  for (; at < last; ++at) {
    const Tile next = given.tiles[at + 1 < last ? at + 1 : at];
    const int next_columns = columns_of(next, next.begin);
    const int boxes = min(Shape::kBoxes, (given.n - tile.column + kBBoxColumns - 1) / kBBoxColumns);
    const int row_in_block = tile.row % given.block_rows;
    for (int block = tile.begin; block < tile.end; ++block) {
      const int place = (block - tile.begin) % kWarp;
      if (place == 0 && block > tile.begin) columns = columns_of(tile, block);
      const int b_row = __shfl_sync(~0u, columns, place) * given.block_columns;
      for (int x = 0; x < given.block_columns; x += Shape::kDepth) {
        if (lane == 0) {
          ring.wait_empty(turn);
          load_stage(given, ring, turn.stage, x, block * given.block_rows + row_in_block, b_row + x, tile.column,
                     boxes);
        }
        turn.next();
      }
    }
    tile = next;
    columns = next_columns;
  }
}

}  // namespace kernels::bsr
