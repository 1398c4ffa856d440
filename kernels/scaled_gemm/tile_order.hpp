// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which persistent blocks take tiles: in sections of so many rows of tiles, column by column, so that what
// runs side by side shares rows of A and columns of B in the L2. Pure, for host and device code.

#include "kernels/hopper/layout.hpp"

namespace kernels::scaled {

struct TileOrder {
  int row_tiles = 1;
  int columns = 1;  // of what a cluster computes side by side
  int section = 8;  // rows of tiles

  struct Place {
    int row_tile, column;
  };
  [[nodiscard]] KG_HOST_DEVICE constexpr int tiles() const { return row_tiles * columns; }
  [[nodiscard]] KG_HOST_DEVICE constexpr Place at(int index) const {
    const int first = index / (section * columns) * section, within = index - first * columns;
    const int height = row_tiles - first < section ? row_tiles - first : section;
    return {first + within % height, within / height};
  }
};

}  // namespace kernels::scaled
