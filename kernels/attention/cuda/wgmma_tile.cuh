// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tile of the wgmma attention kernel: its place in shared memory, its barriers, and the warp that loads. A thread
// block computes kConsumers x 64 rows of queries of one head against kColumns keys at a time.

#include "kernels/attention/cuda/mask.cuh"
#include "kernels/attention/cuda/wgmma_kernels.hpp"
#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/ring.cuh"

namespace kernels::attention {

inline constexpr int kGroupRows = 64;  // of queries, for each warpgroup that multiplies
inline constexpr int kElementBytes = 2;

// How a form of the kernel is put together; see wgmma_kernel.cuh for what `overlap` and `turns` do.
struct Form {
  int depth = 128, consumers = 2, columns = 128;  // of a head; warpgroups that multiply; keys of a block
  bool turns = true, lazy = true;
  int blocks = 1, query_stages = 2;  // thread blocks of a multiprocessor; tiles of queries that may be there
};

template <Form kForm>
struct TileShape {
  static constexpr int kDepth = kForm.depth, kConsumers = kForm.consumers, kColumns = kForm.columns;
  static constexpr bool kTurns = kForm.turns, kLazy = kForm.lazy;
  static constexpr int kBlocks = kForm.blocks, kQueryStages = kForm.query_stages;
  static constexpr int kRows = kConsumers * kGroupRows, kThreads = (kConsumers + 1) * hopper::kWarpgroup;

  static constexpr int kGroupBytes = kGroupRows * kDepth * kElementBytes;
  static constexpr int kQueryBytes = kConsumers * kGroupBytes, kKeyBytes = kColumns * kDepth * kElementBytes;
  static constexpr int kHeadBytes = 256;  // barriers and the numbers of tiles
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
  static_assert((kQueryStages + 2 * kStages) * 16 + kQueryStages * 4 <= kHeadBytes, "barriers and numbers fit");
  static_assert(kRows <= 256 && kConsumers <= 4, "named barriers are counted for up to four warpgroups");
};

template <class Shape>
struct TileOf {
  int row, inner, outer;  // first row of queries; head; batch

  __device__ TileOf(const WgmmaArguments& given, int number) {
    const QueryTile found = given.order.at(number);
    row = found.tile * Shape::kRows;
    outer = found.head / given.heads;
    inner = found.head % given.heads;
  }
  __device__ KeyBlocks blocks(const WgmmaArguments& given) const {
    return {given.mask, row, row + Shape::kRows - 1, Shape::kColumns};
  }
  __device__ KeyBlocks blocks_of(const WgmmaArguments& given, int group) const {
    const int first = row + group * kGroupRows;
    return {given.mask, first, first + kGroupRows - 1, Shape::kColumns};
  }
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
  // Where the number of the tile whose queries are in `stage` stands.
  __device__ std::uint32_t tile_at(int stage) const {
    return queries.full + queries.kBytes + 2 * keys.kBytes + 4 * stage;
  }
};

// The loading thread: takes tiles as long as there are any, and fills stage after stage as they become free.
template <class Shape>
struct Loader {
  const WgmmaArguments& given;
  const Barriers<Shape>& barriers;
  hopper::Turn<Shape::kQueryStages> query_turn{};
  hopper::Turn<Shape::kStages> key_turn{}, value_turn{};

  __device__ void load_keys(const TileOf<Shape>& tile, int block) {
    barriers.keys.wait_empty(key_turn);
    const std::uint32_t full = barriers.keys.full_at(key_turn.stage);
    hopper::expect_bytes(full, Shape::kKeyBytes);
    hopper::load_panels(barriers.key(key_turn.stage), given.k,
                        {block * Shape::kColumns, 0, tile.inner / given.heads_per_key_head, tile.outer}, full,
                        hopper::Keep::long_);
    key_turn.next();
  }
  __device__ void load_values(const TileOf<Shape>& tile, int block) {
    barriers.values.wait_empty(value_turn);
    const std::uint32_t full = barriers.values.full_at(value_turn.stage);
    hopper::expect_bytes(full, Shape::kKeyBytes);
    hopper::load_panels(barriers.value(value_turn.stage), given.v,
                        {block * Shape::kColumns, 0, tile.inner / given.heads_per_key_head, tile.outer}, full,
                        hopper::Keep::long_);
    value_turn.next();
  }
  // Says with the queries which tile they are of; a number beyond the last tile ends the block.
  __device__ void hand_over(int number) {
    barriers.queries.wait_empty(query_turn);
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(barriers.tile_at(query_turn.stage)), "r"(number) : "memory");
    const std::uint32_t full = barriers.queries.full_at(query_turn.stage);
    if (number >= given.order.tiles()) {
      hopper::arrive(full);
      return;
    }
    const TileOf<Shape> tile(given, number);
    hopper::expect_bytes(full, Shape::kQueryBytes);
    for (int group = 0; group < Shape::kConsumers; ++group)
      hopper::load_panels(barriers.query(query_turn.stage) + group * Shape::kGroupBytes, given.q,
                          {tile.row + group * kGroupRows, 0, tile.inner, tile.outer}, full, hopper::Keep::briefly);
    query_turn.next();
  }
  __device__ int next_tile(int number) const {
    return given.counter == nullptr ? number + static_cast<int>(gridDim.x)
                                    : static_cast<int>(gridDim.x + atomicAdd(given.counter, 1u));
  }
  __device__ void run() {
    int number = blockIdx.x;
    for (; number < given.order.tiles(); number = next_tile(number)) {
      const TileOf<Shape> tile(given, number);
      const int last = tile.blocks(given).count - 1;
      load_keys(tile, last);  // before its queries, which may wait for an earlier tile to be stored
      hand_over(number);
      for (int block = last - 1; block >= 0; --block) {
        load_keys(tile, block);
        load_values(tile, block + 1);
      }
      load_values(tile, 0);
    }
    hand_over(number);
    finish();
  }
  // The last block to end puts the counters back, so that the next launch finds them at zero.
  __device__ void finish() const {
    if (given.counter == nullptr) return;
    __threadfence();
    if (atomicAdd(given.counter + 1, 1u) + 1 == gridDim.x) {
      given.counter[0] = 0;
      given.counter[1] = 0;
    }
  }
};

}  // namespace kernels::attention
