// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the wgmma kernel is given of packed sequences and of block patterns. Plain data.

#include <cstdint>

namespace kernels::attention {

// A sequence with the number of its first tile, counted for one head through the sequences in the order that tiles are
// taken in.
struct alignas(32) PackedSequence {
  std::int32_t first_tile, queries, first_query, keys, first_key;
};

struct PackedArguments {
  const PackedSequence* sequences;  // `count`, and one whose first tile is the number of all tiles
  int count;
  int longest_queries, longest_keys;  // where the rows of a sequence end for the copy engine: see packed_map()
  int section_keys;                   // causal: of all heads together whose keys and values are in use at once
};

struct SparseArguments {
  const std::int32_t *offsets, *blocks;
  int block_rows, block_parts;  // of queries; tiles' columns in a block's
  int head_rows, batch_rows;    // rows of the pattern from one head, and batch, to the next
};

}  // namespace kernels::attention
