// SPDX-License-Identifier: Apache-2.0
#pragma once

// In which order the persistent blocks take tiles of queries. Pure, for host and device code.

#include "kernels/hopper/layout.hpp"

namespace kernels::attention {

// One tile of queries of one head; heads are counted through the batch.
struct QueryTile {
  int head, tile;
};

// Sections of heads whose keys and values fit the L2, one after the other; in a section the last tiles of all its heads
// first: with a causal mask these are the heaviest, and light ones are left to fill up the end.
struct TileOrder {
  int heads = 0, tiles_per_head = 0, heads_per_section = 1;

  [[nodiscard]] KG_HOST_DEVICE constexpr int tiles() const { return heads * tiles_per_head; }
  [[nodiscard]] KG_HOST_DEVICE constexpr QueryTile at(int number) const {
    const int in_section = heads_per_section * tiles_per_head;
    const int section = number / in_section, rest = number % in_section;
    const int first = section * heads_per_section, left = heads - first;
    const int width = left < heads_per_section ? left : heads_per_section;
    return {first + rest % width, tiles_per_head - 1 - rest / width};
  }
};

}  // namespace kernels::attention
