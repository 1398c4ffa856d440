// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tile of the wgmma attention kernel: its place in shared memory and its barriers. A thread block computes
// kConsumers x 64 rows of queries of one head against kColumns keys at a time.

#include "kernels/attention/cuda/wgmma_tiles.cuh"
#include "kernels/hopper/ring.cuh"

namespace kernels::attention {

inline constexpr int kElementBytes = 2;

// How a form of the kernel is put together; see wgmma_kernel.cuh for what `overlap` and `turns` do.
struct Form {
  int depth = 128, consumers = 2, columns = 128;  // of a head; warpgroups that multiply; keys of a block
  bool turns = true, lazy = true;
  int blocks = 1, query_stages = 2;  // thread blocks of a multiprocessor; tiles of queries that may be there
  Layout layout = Layout::dense;
};

template <Form kForm>
struct TileShape {
  static constexpr int kDepth = kForm.depth, kConsumers = kForm.consumers, kColumns = kForm.columns;
  static constexpr bool kTurns = kForm.turns, kLazy = kForm.lazy;
  static constexpr int kBlocks = kForm.blocks, kQueryStages = kForm.query_stages;
  static constexpr Layout kLayout = kForm.layout;
  static constexpr int kGroupRows = 64;  // of queries, for each warpgroup that multiplies
  static constexpr int kRows = kConsumers * kGroupRows, kThreads = (kConsumers + 1) * hopper::kWarpgroup;

  static constexpr int kGroupBytes = kGroupRows * kDepth * kElementBytes;
  static constexpr int kQueryBytes = kConsumers * kGroupBytes, kKeyBytes = kColumns * kDepth * kElementBytes;
  static constexpr int kHeadBytes = 256;  // barriers and tiles
  static constexpr int kTileBytes = kLayout == Layout::dense ? 4 : 4 * TileWords::kCount;
  static constexpr int kSharedMax = 227 * 1024 / kBlocks - (kBlocks > 1 ? 1024 : 0);  // each block reserves 1 KiB
  static constexpr int kFree = kSharedMax - kHeadBytes - hopper::kSwizzleRepeats - kQueryStages * kQueryBytes;
  static constexpr int kStagesMax = 4, kFitting = kFree / (2 * kKeyBytes);
  static constexpr int kStages = kFitting < kStagesMax ? kFitting : kStagesMax;
  static constexpr int kSharedBytes =
      kHeadBytes + hopper::kSwizzleRepeats + kQueryStages * kQueryBytes + kStages * 2 * kKeyBytes;

  // What launch bounds leave to a thread, shared out anew.
  static constexpr int kRegisters = 65536 / (kThreads * kBlocks) / 8 * 8;
  static constexpr int kLoaderRegisters = kDepth > 128 ? 24 : kConsumers > 2 ? 32 : 40;
  static constexpr int kLeft = (kRegisters * (kConsumers + 1) - kLoaderRegisters) / kConsumers / 8 * 8;
  static constexpr int kConsumerRegisters = kLeft < 240 ? kLeft : 240;

  static_assert(kDepth % 64 == 0 && kDepth <= 256, "a head is one to four panels of 64 columns");
  static_assert(kColumns % 16 == 0 && kColumns <= 256, "a block of keys is one box, and steps of 16 of the product");
  static_assert(kKeyBytes % hopper::kSwizzleRepeats == 0, "tiles begin where the swizzle repeats");
  static_assert(kStages >= 2, "one block of keys is read while another is on its way");
  static_assert((kQueryStages + 2 * kStages) * 16 + kQueryStages * kTileBytes <= kHeadBytes, "barriers and tiles fit");
  static_assert(kRows <= 256 && kConsumers <= 4, "named barriers are counted for up to four warpgroups");
};

template <class Shape>
struct Barriers {
  hopper::RingBarriers<Shape::kQueryStages> queries;
  hopper::RingBarriers<Shape::kStages> keys, values;
  std::uint32_t base;  // of the tiles

  __device__ explicit Barriers(std::uint32_t shared)
      : queries(shared),
        keys(shared + queries.kBytes),
        values(shared + queries.kBytes + keys.kBytes),
        base((shared + Shape::kHeadBytes + hopper::kSwizzleRepeats - 1) / hopper::kSwizzleRepeats *
             hopper::kSwizzleRepeats) {}

  // By one thread, before the others touch them.
  __device__ void init() const {
    constexpr int kReaders = Shape::kConsumers * hopper::kWarpgroupWarps;
    queries.init(kReaders);
    keys.init(kReaders);
    values.init(kReaders);
    hopper::fence_barrier_init();
  }
  __device__ std::uint32_t query(int stage) const { return base + stage * Shape::kQueryBytes; }
  __device__ std::uint32_t key(int stage) const {
    return base + Shape::kQueryStages * Shape::kQueryBytes + stage * Shape::kKeyBytes;
  }
  __device__ std::uint32_t value(int stage) const { return key(Shape::kStages) + stage * Shape::kKeyBytes; }
  // Where the tile whose queries are in `stage` is written.
  __device__ std::uint32_t tile_at(int stage) const {
    return queries.full + queries.kBytes + 2 * keys.kBytes + Shape::kTileBytes * stage;
  }
};

}  // namespace kernels::attention
