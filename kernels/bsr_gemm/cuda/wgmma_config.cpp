// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace kernels::bsr {
namespace {

constexpr int kTileOverhead = 1;  // what storing a tile costs, in blocks
constexpr int kLastTiles = 4;     // of each worker, handed out by weight alone so that all end together

}  // namespace

std::string to_string(const WgmmaConfig& config) {
  return std::to_string(config.tile_rows) + "x" + std::to_string(config.tile_columns) + "x" +
         std::to_string(config.depth);
}

const char* wgmma_refusal(const BsrMatrix& pattern, int n) {
  if (pattern.block_rows % 32 != 0 || pattern.block_columns % 32 != 0) return "block sizes must be multiples of 32";
  if (pattern.rows % pattern.block_rows != 0 || pattern.columns % pattern.block_columns != 0)
    return "blocks must divide the matrix";
  if (n % 8 != 0) return "N must be a multiple of 8";
  return nullptr;
}

std::vector<WgmmaConfig> wgmma_candidates(const BsrMatrix& pattern) {
  std::vector<WgmmaConfig> candidates;
  for (const WgmmaConfig& config : {WgmmaConfig{128, 256, 64}, WgmmaConfig{128, 256, 32}, WgmmaConfig{64, 512, 64},
                                    WgmmaConfig{64, 512, 32}, WgmmaConfig{32, 512, 32}})
    if (pattern.block_rows % config.tile_rows == 0 && pattern.block_columns % config.depth == 0)
      candidates.push_back(config);
  return candidates;
}

WgmmaConfig wgmma_config(const BsrMatrix& pattern) { return wgmma_candidates(pattern).front(); }

Schedule make_schedule(const BsrMatrix& pattern, int n, int tile_rows, int tile_columns, int workers) {
  const auto heavier = [](const Tile& one, const Tile& other) { return one.end - one.begin > other.end - other.begin; };
  std::vector<Tile> rows;
  for (int row = 0; row < pattern.rows; row += tile_rows) {
    const int block_row = row / pattern.block_rows;
    rows.push_back({.row = row, .begin = pattern.row_begin[block_row], .end = pattern.row_begin[block_row + 1]});
  }
  std::stable_sort(rows.begin(), rows.end(), heavier);
  std::vector<Tile> all;
  for (int column = 0; column < n; column += tile_columns)
    for (Tile tile : rows) {
      tile.column = column;
      all.push_back(tile);
    }
  const std::ptrdiff_t last = std::min<std::ptrdiff_t>(std::ssize(all), std::ptrdiff_t{kLastTiles} * workers);
  std::stable_sort(all.end() - last, all.end(), heavier);

  using Load = std::pair<long long, int>;  // the least loaded, and of those the first, is on top
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int i = 0; i < workers; ++i) loads.emplace(0, i);
  std::vector<std::vector<Tile>> lists(workers);
  for (const Tile& tile : all) {
    const auto [load, worker] = loads.top();
    loads.pop();
    lists[worker].push_back(tile);
    loads.emplace(load + kTileOverhead + tile.end - tile.begin, worker);
  }

  Schedule schedule;
  schedule.first.push_back(0);
  for (std::vector<Tile>& list : lists) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Tile& one, const Tile& other) { return one.column < other.column; });
    schedule.tiles.insert(schedule.tiles.end(), list.begin(), list.end());
    schedule.first.push_back(static_cast<int>(schedule.tiles.size()));
  }
  return schedule;
}

}  // namespace kernels::bsr
