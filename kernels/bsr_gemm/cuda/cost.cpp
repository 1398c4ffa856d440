// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace kernels::bsr {
namespace {

// Per microsecond of an H200's 132 multiprocessors.
constexpr double kH200Multiprocessors = 132;
constexpr double kL2Bytes = 7.5e6;
constexpr double kMatrixFlops = 600e6;   // what wgmma kernels sustain; the probe has 749
constexpr double kLibraryFlops = 700e6;  // cuBLASLt, dense
constexpr double kWmmaFlops = 160e6;
constexpr double kVectorizedFlops = 30e6, kAtomicsFlops = 7e6, kRegistersFlops = 4e6;
constexpr double kCusparseFlops = 13e6;
constexpr double kPerBlockFlops = 60e6, kPerBlockUs = 3.2;  // a library call for each block
constexpr double kMemoryBytes = 4e6;
constexpr double kLaunchUs = 3;

struct TileSize {
  double rows, columns;
};

double up(double size, double part) { return std::ceil(size / part); }

double blocks_of(const BsrMatrix& pattern) { return static_cast<double>(pattern.block_column.size()); }

double flops_of(const BsrMatrix& pattern, int n) {
  return 2.0 * blocks_of(pattern) * pattern.block_rows * pattern.block_columns * n;
}

double tiled_us(const TileSize& tile, double flops_per_us, const BsrMatrix& pattern, int n, double share) {
  const double tiles_of_block = up(pattern.block_rows, tile.rows) * up(n, tile.columns);
  const double steps = blocks_of(pattern) * tiles_of_block;
  const double flops = steps * 2 * tile.rows * tile.columns * pattern.block_columns;
  const double bytes = steps * 2 * pattern.block_columns * (tile.rows + tile.columns);
  const double tiles = std::max(1.0, up(pattern.rows, pattern.block_rows) * tiles_of_block);
  const double each = tiles / (kH200Multiprocessors * share);  // tiles of a multiprocessor
  return kLaunchUs + std::max(flops / flops_per_us, bytes / kL2Bytes) / share * std::ceil(each) / each;
}

}  // namespace

double predicted_us(const WgmmaConfig& config, const BsrMatrix& pattern, int n, int multiprocessors) {
  const TileSize tile{static_cast<double>(config.tile_rows), static_cast<double>(config.tile_columns)};
  return tiled_us(tile, kMatrixFlops, pattern, n, multiprocessors / kH200Multiprocessors);
}

double predicted_us(std::string_view variant, const BsrMatrix& pattern, int n, int multiprocessors) {
  const double share = multiprocessors / kH200Multiprocessors;
  const auto at = [&](double flops_per_us) { return kLaunchUs + flops_of(pattern, n) / flops_per_us / share; };
  if (variant == "wmma") {
    const double rows = pattern.block_rows % 64 == 0 ? 64 : 32;
    return tiled_us({rows, 128}, kWmmaFlops, pattern, n, share);
  }
  if (variant == "vectorized") return tiled_us({64, 256}, kVectorizedFlops, pattern, n, share);
  if (variant == "atomics") return at(kAtomicsFlops);
  if (variant == "registers") return at(kRegistersFlops);
  if (variant == "cusparse") return at(kCusparseFlops);
  if (variant == "dense") return kLaunchUs + 2.0 * pattern.rows * pattern.columns * n / kLibraryFlops / share;
  if (variant == "cublaslt_per_block") {
    const double sums_us = 2.0 * pattern.rows * n * sizeof(float) / kMemoryBytes / share;
    const double block_us = 2.0 * pattern.block_rows * pattern.block_columns * n / kPerBlockFlops / share;
    return kLaunchUs + sums_us + blocks_of(pattern) * std::max(kPerBlockUs, block_us);
  }
  throw std::invalid_argument("no cost is known of " + std::string(variant));
}

std::string density_bucket(const BsrMatrix& pattern) {
  const double there = blocks_of(pattern);
  if (there == 0) return "0";
  const double all = static_cast<double>(pattern.block_row_count()) * up(pattern.columns, pattern.block_columns);
  char text[16];
  std::snprintf(text, sizeof text, "2^%.1f", std::round(2 * std::log2(there / all)) / 2 + 0.0);
  return text;
}

}  // namespace kernels::bsr
