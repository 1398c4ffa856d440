// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread of the wgmma attention kernel that loads: it finds tiles, hands them over, and keeps the copy engine at
// work. Device code of sm_90 only.

#include "kernels/attention/cuda/wgmma_tile.cuh"

namespace kernels::attention {

// Takes tiles as long as there are any, and fills stage after stage as they become free.
template <class Shape>
struct Loader {
  using Tile = TileOf<Shape>;
  const WgmmaArguments& given;
  const Barriers<Shape>& barriers;
  hopper::Turn<Shape::kQueryStages> query_turn{};
  hopper::Turn<Shape::kStages> key_turn{}, value_turn{};

  __device__ void load_keys(const Tile& tile, int column) {
    barriers.keys.wait_empty(key_turn);
    const std::uint32_t full = barriers.keys.full_at(key_turn.stage);
    hopper::expect_bytes(full, Shape::kKeyBytes);
    hopper::load_panels(barriers.key(key_turn.stage), given.k, tile.keys_at(given, column), full, hopper::Keep::long_);
    key_turn.next();
  }
  __device__ void load_values(const Tile& tile, int column) {
    barriers.values.wait_empty(value_turn);
    const std::uint32_t full = barriers.values.full_at(value_turn.stage);
    hopper::expect_bytes(full, Shape::kKeyBytes);
    hopper::load_panels(barriers.value(value_turn.stage), given.v, tile.keys_at(given, column), full,
                        hopper::Keep::long_);
    value_turn.next();
  }
  // Says with the queries which tile they are of.
  __device__ void hand_over(int number, const Tile& tile) {
    barriers.queries.wait_empty(query_turn);
    Tile::write(barriers.tile_at(query_turn.stage), number, tile);
    const std::uint32_t full = barriers.queries.full_at(query_turn.stage);
    hopper::expect_bytes(full, Shape::kQueryBytes);
    for (int group = 0; group < Shape::kConsumers; ++group)
      hopper::load_panels(barriers.query(query_turn.stage) + group * Shape::kGroupBytes, given.q,
                          tile.queries_at(given, group * Shape::kGroupRows), full, hopper::Keep::briefly);
    query_turn.next();
  }
  __device__ void end() {
    barriers.queries.wait_empty(query_turn);
    Tile::write(barriers.tile_at(query_turn.stage), TileWords::kEnd, Tile{});
    hopper::arrive(barriers.queries.full_at(query_turn.stage));
  }
  __device__ int next_tile(int number) const {
    return given.counter == nullptr ? number + static_cast<int>(gridDim.x)
                                    : static_cast<int>(gridDim.x + atomicAdd(given.counter, 1u));
  }
  __device__ void run() {
    typename Tile::Finder finder(given);
    for (int number = blockIdx.x; number < finder.count(); number = next_tile(number)) {
      const Tile tile = finder.at(number);
      int block = tile.blocks(given).count - 1, column = tile.column(given, block);
      load_keys(tile, column);  // before its queries, which may wait for an earlier tile to be stored
      hand_over(number, tile);
      for (--block; block >= 0; --block) {
        const int next = tile.column(given, block);
        load_keys(tile, next);
        load_values(tile, column);
        column = next;
      }
      load_values(tile, column);
    }
    end();
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
