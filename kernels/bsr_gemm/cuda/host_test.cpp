// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/bsr_gemm/cuda/cost.hpp"
#include "kernels/bsr_gemm/cuda/fuzz.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

namespace kernels::bsr {
namespace {

BsrMatrix pattern_of(int m, int k, int block_rows, int block_columns, double density = 0.5, double empty_rows = 0) {
  return generate({.name = "pattern",
                   .m = m,
                   .n = 1,
                   .k = k,
                   .block_rows = block_rows,
                   .block_columns = block_columns,
                   .density = density,
                   .empty_rows = empty_rows},
                  1)
      .a;
}

TEST(WgmmaConfig, TileFollowsTheBlock) {
  struct Case {
    int block_rows, block_columns;
    WgmmaConfig want;
  };
  for (const Case& one : {Case{128, 128, {128, 256, 64}}, Case{64, 64, {64, 512, 64}}, Case{32, 32, {32, 512, 32}},
                          Case{32, 128, {32, 512, 32}}, Case{64, 32, {64, 512, 32}}, Case{128, 96, {128, 256, 32}},
                          Case{256, 64, {128, 256, 64}}, Case{96, 96, {32, 512, 32}}}) {
    const BsrMatrix pattern = pattern_of(one.block_rows, one.block_columns, one.block_rows, one.block_columns);
    EXPECT_EQ(wgmma_config(pattern), one.want) << one.block_rows << "x" << one.block_columns;
  }
}

TEST(WgmmaConfig, EveryTileThatDividesTheBlockIsACandidate) {
  EXPECT_EQ(wgmma_candidates(pattern_of(128, 128, 128, 128)).size(), 5u);
  EXPECT_EQ(wgmma_candidates(pattern_of(64, 64, 64, 64)).size(), 3u);
  EXPECT_EQ(wgmma_candidates(pattern_of(64, 32, 64, 32)).size(), 2u);
  EXPECT_EQ(wgmma_candidates(pattern_of(32, 64, 32, 64)).size(), 1u);
}

TEST(WgmmaConfig, HasAName) { EXPECT_EQ(to_string(WgmmaConfig{128, 256, 64}), "128x256x64"); }

TEST(WgmmaConfig, RefusesWhatTheCopyEngineCanNotMove) {
  EXPECT_EQ(wgmma_refusal(pattern_of(64, 64, 32, 64), 8), nullptr);
  EXPECT_NE(wgmma_refusal(pattern_of(64, 64, 32, 64), 12), nullptr);
  EXPECT_NE(wgmma_refusal(pattern_of(64, 64, 16, 64), 8), nullptr);
  EXPECT_NE(wgmma_refusal(pattern_of(64, 64, 64, 16), 8), nullptr);
  EXPECT_NE(wgmma_refusal(pattern_of(70, 64, 64, 64), 8), nullptr);
}

TEST(Schedule, EveryTileOnceWithItsBlocks) {
  const BsrMatrix pattern = pattern_of(512, 640, 128, 64, 0.4, 0.3);
  const Schedule schedule = make_schedule(pattern, 1000, 64, 256, 7);
  ASSERT_EQ(schedule.first.size(), 8u);
  EXPECT_EQ(schedule.first.back(), static_cast<int>(schedule.tiles.size()));
  std::map<std::pair<int, int>, int> seen;
  for (const Tile& tile : schedule.tiles) {
    ++seen[{tile.row, tile.column}];
    EXPECT_EQ(tile.begin, pattern.row_begin[tile.row / 128]);
    EXPECT_EQ(tile.end, pattern.row_begin[tile.row / 128 + 1]);
  }
  EXPECT_EQ(seen.size(), 8u * 4u);
  for (const auto& [place, times] : seen) EXPECT_EQ(times, 1) << place.first << "," << place.second;
}

TEST(Schedule, NoWorkerHasMuchMoreThanItsShare) {
  const BsrMatrix pattern = pattern_of(4096, 4096, 64, 64, 0.125);
  const Schedule schedule = make_schedule(pattern, 4096, 64, 512, 132);
  int most = 0, all = 0;
  for (std::size_t worker = 0; worker + 1 < schedule.first.size(); ++worker) {
    int mine = 0;
    for (int i = schedule.first[worker]; i < schedule.first[worker + 1]; ++i)
      mine += schedule.tiles[i].end - schedule.tiles[i].begin;
    most = std::max(most, mine);
    all += mine;
  }
  EXPECT_LE(most, 1.07 * all / 132);
}

TEST(Schedule, WorkersThatRunSideBySideShareColumns) {
  const BsrMatrix pattern = pattern_of(2048, 2048, 64, 64, 0.125);
  const Schedule schedule = make_schedule(pattern, 8192, 64, 512, 32);
  for (std::size_t worker = 0; worker < 32; ++worker) EXPECT_EQ(schedule.tiles[schedule.first[worker]].column, 0);
}

TEST(Schedule, MoreWorkersThanTilesLeavesSomeIdle) {
  const Schedule schedule = make_schedule(pattern_of(64, 64, 64, 64), 8, 64, 512, 5);
  EXPECT_EQ(schedule.first, (std::vector<int>{0, 1, 1, 1, 1, 1}));
}

// Names of all variants, fastest predicted first.
std::vector<std::string> predicted_order(const BsrMatrix& pattern, int n) {
  std::multimap<double, std::string> order;
  for (const char* name : {"atomics", "registers", "vectorized", "wmma", "cublaslt_per_block", "cusparse", "dense"})
    order.emplace(predicted_us(name, pattern, n, 132), name);
  for (const WgmmaConfig& config : wgmma_candidates(pattern))
    order.emplace(predicted_us(config, pattern, n, 132), "wgmma/" + to_string(config));
  std::vector<std::string> names;
  for (const auto& [us, name] : order) names.push_back(name);
  return names;
}

TEST(Cost, SparseLargeProductsBeginWithTheLargestTileThatFits) {
  EXPECT_EQ(predicted_order(pattern_of(8192, 8192, 64, 64, 0.125), 8192).front().substr(0, 12), "wgmma/64x512");
  EXPECT_EQ(predicted_order(pattern_of(8192, 8192, 128, 128, 0.125), 8192).front().substr(0, 13), "wgmma/128x256");
  EXPECT_EQ(predicted_order(pattern_of(8192, 8192, 32, 32, 0.125), 8192).front().substr(0, 12), "wgmma/32x512");
}

TEST(Cost, AFullMatrixIsTheLibrarys) {
  EXPECT_EQ(predicted_order(pattern_of(8192, 8192, 32, 32, 1), 8192).front(), "dense");
}

TEST(Cost, IsNearWhatAnH200Measured) {  // 8192, blocks of 64, density 12.5 %; docs/GPU_FIGURES.md
  const BsrMatrix pattern = pattern_of(8192, 8192, 64, 64, 0.125);
  const double flops = 2.0 * static_cast<double>(pattern.block_column.size()) * 64 * 64 * 8192;
  const auto tflops = [&](double us) { return flops / us / 1e6; };
  EXPECT_NEAR(tflops(predicted_us(WgmmaConfig{64, 512, 64}, pattern, 8192, 132)), 468, 0.2 * 468);
  EXPECT_NEAR(tflops(predicted_us("wmma", pattern, 8192, 132)), 159, 0.2 * 159);
  EXPECT_NEAR(tflops(predicted_us("vectorized", pattern, 8192, 132)), 30.6, 0.2 * 30.6);
  EXPECT_NEAR(tflops(predicted_us("cublaslt_per_block", pattern, 8192, 132)), 18, 0.2 * 18);
  EXPECT_NEAR(tflops(predicted_us("dense", pattern, 8192, 132)), 86, 0.2 * 86);
  EXPECT_GT(predicted_us("wmma", pattern, 8192, 66), 1.9 * predicted_us("wmma", pattern, 8192, 132));
  EXPECT_THROW((void)predicted_us("magic", pattern, 8192, 132), std::invalid_argument);
}

TEST(Cost, DensitiesFallIntoBuckets) {
  EXPECT_EQ(density_bucket(pattern_of(512, 512, 64, 64, 1)), "2^0.0");
  EXPECT_EQ(density_bucket(pattern_of(64, 64, 64, 64, 0)), "0");
  EXPECT_EQ(density_bucket(pattern_of(8192, 8192, 64, 64, 0.125)), "2^-3.0");
  EXPECT_EQ(density_bucket(pattern_of(8192, 8192, 64, 64, 0.1)), "2^-3.5");
}

TEST(Fuzz, BlocksDivideTheMatrix) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Shape shape = random_shape(seed);
    EXPECT_EQ(shape.m % shape.block_rows, 0);
    EXPECT_EQ(shape.k % shape.block_columns, 0);
    EXPECT_EQ(describe(shape), describe(random_shape(seed)));
  }
}

TEST(Fuzz, AFailureShrinksToTheSmallestThatFails) {
  const Shape large{.name = "large",
                    .m = 640,
                    .n = 700,
                    .k = 384,
                    .block_rows = 64,
                    .block_columns = 64,
                    .density = 0.5,
                    .empty_rows = 0.5,
                    .scale_bits = 3};
  const Shape small = smallest_failing(large, [](const Shape& shape) { return shape.m >= 192 && shape.n > 512; });
  EXPECT_EQ(small.m, 192);
  EXPECT_EQ(small.n, 513);
  EXPECT_EQ(small.k, 64);
  EXPECT_EQ(small.scale_bits, 0);
}

}  // namespace
}  // namespace kernels::bsr
