// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cost.hpp"

#include <algorithm>

namespace kernels::scaled {
namespace {

// Cycles: of the tensor cores for a value of a tile and a block of K, what they wait beside that, and a tile's end.
constexpr double kCyclesPerValue = 1.2 / 32, kCyclesPerBlock = 120, kCyclesPerTile = 2500;
constexpr double kCyclesPerUs = 1450, kLaunchUs = 3;
// The narrow kernel: what does not depend on K, and bytes that all blocks together read in a microsecond.
constexpr double kNarrowUs = 4, kNarrowBytesPerUs = 5.3e6;

double tiles(int size, int tile) { return (size + tile - 1) / tile; }

}  // namespace

double predicted_us(const Shape& shape, const WideTile& tile, int multiprocessors) {
  const double clusters = tiles(shape.m, tile.rows) * tiles(shape.n, tile.columns * tile.cluster) * shape.a_matrices();
  const int at_once = std::max(multiprocessors / tile.cluster, 1);
  const double rounds = tiles(static_cast<int>(clusters), at_once);
  const double block = tile.rows * tile.columns * kCyclesPerValue + kCyclesPerBlock;
  return kLaunchUs + rounds * (shape.k_blocks() * block + kCyclesPerTile) / kCyclesPerUs;
}

double predicted_us(const Shape& shape, const NarrowTile& tile, int multiprocessors) {
  const double blocks = tiles(shape.n, tile.columns) * tiles(shape.m, tile.rows) * shape.matrices * tile.parts;
  const double rounds = tiles(static_cast<int>(blocks), multiprocessors), deep = tiles(shape.k_blocks(), tile.parts);
  const double bytes = std::min<double>(blocks, multiprocessors) * (tile.rows + tile.columns) * kScaleBlock;
  return rounds * (kNarrowUs + deep * bytes / kNarrowBytesPerUs);
}

}  // namespace kernels::scaled
