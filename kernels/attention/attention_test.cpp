// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/attention/cuda/tile_order.hpp"
#include "kernels/attention/cuda/tuning.hpp"
#include "kernels/attention/fuzz.hpp"
#include "kernels/attention/reference.hpp"

namespace kernels::attention {
namespace {

TEST(Shape, CausalRowsSeeKeysUpToTheDiagonal) {
  const Shape causal{.queries = 4, .keys = 3, .causal = true};
  EXPECT_EQ(causal.seen(0), 1);
  EXPECT_EQ(causal.seen(3), 3);
  const Shape shifted{.queries = 4, .keys = 3, .causal = true, .diagonal = -2};
  EXPECT_EQ(shifted.seen(1), 0);
  EXPECT_EQ(shifted.seen(2), 1);
  EXPECT_EQ((Shape{.queries = 4, .keys = 3}).seen(0), 3);
}

TEST(Shape, CausalWorkIsWhatTheMaskLeaves) {
  EXPECT_DOUBLE_EQ(flops_of({.heads = 2, .key_heads = 2, .queries = 4, .keys = 4, .depth = 8}), 4.0 * 2 * 8 * 16);
  EXPECT_DOUBLE_EQ(flops_of({.heads = 2, .key_heads = 2, .queries = 4, .keys = 4, .depth = 8, .causal = true}),
                   4.0 * 2 * 8 * 10);
}

TEST(Shape, RefusesHeadsThatKeysDoNotDivide) {
  EXPECT_EQ(shape_refusal({.heads = 8, .key_heads = 2}), nullptr);
  EXPECT_NE(shape_refusal({.heads = 8, .key_heads = 3}), nullptr);
  EXPECT_NE(shape_refusal({.queries = 0}), nullptr);
  EXPECT_EQ(shape_refusal({.keys = 0}), nullptr);
}

TEST(TileOrder, HasEveryTileOnce) {
  for (const TileOrder& order : {TileOrder{7, 5, 1}, TileOrder{7, 5, 3}, TileOrder{7, 5, 7}, TileOrder{1, 1, 1}}) {
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < order.tiles(); ++i) {
      const QueryTile tile = order.at(i);
      EXPECT_TRUE(tile.head >= 0 && tile.head < order.heads && tile.tile >= 0 && tile.tile < order.tiles_per_head);
      seen.insert({tile.head, tile.tile});
    }
    EXPECT_EQ(static_cast<int>(seen.size()), order.tiles());
  }
}

TEST(TileOrder, ASectionBeginsWithTheLastTilesOfAllItsHeads) {
  const TileOrder order{4, 3, 2};
  EXPECT_EQ(order.at(0).tile, 2);
  EXPECT_EQ(order.at(1).tile, 2);
  EXPECT_EQ(order.at(1).head, 1);
  EXPECT_EQ(order.at(5).tile, 0);
  EXPECT_EQ(order.at(6).head, 2);
}

TEST(Tuning, RefusesWhatDoesNotFitInASentence) {
  EXPECT_EQ(tuning_refusal({64, 64, 4, 1}, 64), nullptr);
  EXPECT_EQ(tuning_refusal({128, 32, 8, 3}, 128), nullptr);
  EXPECT_STREQ(tuning_refusal({80, 64, 4, 1}, 64), "BLOCK_M gives each warp whole steps of 16 queries");
  EXPECT_STREQ(tuning_refusal({64, 64, 8, 1}, 64), "BLOCK_M gives each warp whole steps of 16 queries");
  EXPECT_STREQ(tuning_refusal({64, 40, 4, 1}, 64), "BLOCK_N is whole steps of 16 keys");
  EXPECT_STREQ(tuning_refusal({128, 256, 4, 1}, 64), "scores and sums of a thread fit its registers");
  EXPECT_STREQ(tuning_refusal({128, 128, 8, 8}, 64), "queries and stages fit the shared memory");
  EXPECT_STREQ(tuning_refusal({64, 64, 4, 0}, 64), "there are 1 to 8 stages");
}

TEST(Tuning, TheMatrixOfTheSweepHasFortyPointsThatWork) {
  int works = 0;
  for (const int block_m : {64, 128})
    for (const int block_n : {32, 64, 128})
      for (const int num_warps : {2, 4, 8})
        for (const int stages : {1, 2, 3, 4})
          works += tuning_refusal({block_m, block_n, num_warps, stages}, 64) == nullptr;
  EXPECT_GE(works, 40);
}

TEST(Packed, SequencesEndAtTheirLastKey) {
  const std::vector<SequenceLength> lengths = {{3, 5}, {0, 2}, {4, 1}};
  const HostOffsets offsets(lengths);
  EXPECT_EQ(offsets.queries, (std::vector<std::int32_t>{0, 3, 3, 7}));
  EXPECT_EQ(offsets.keys, (std::vector<std::int32_t>{0, 5, 7, 8}));
  EXPECT_EQ(offsets.longest_keys, 5);
  const Shape packed = offsets.packed({.heads = 2, .key_heads = 2, .depth = 8, .causal = true});
  EXPECT_EQ(packed.batch, 3);
  EXPECT_EQ(packed.queries, 7);
  EXPECT_EQ(offsets.sequence(packed, 0).seen(2), 5);  // the last query sees every key
  EXPECT_EQ(offsets.sequence(packed, 2).seen(2), 0);
  EXPECT_DOUBLE_EQ(flops_of(packed, offsets), 4.0 * 2 * 8 * ((3 + 4 + 5) + 1));
}

TEST(Pattern, HeadsAndBatchesHaveRowsOfTheirOwnOrShareThem) {
  const Shape shape{.batch = 2, .heads = 3, .key_heads = 3, .queries = 300, .keys = 200};
  for (const bool per_head : {false, true})
    for (const bool per_batch : {false, true}) {
      const HostPattern pattern =
          random_pattern(shape, {.density = 1, .per_head = per_head, .per_batch = per_batch}, 1);
      EXPECT_EQ(pattern.offsets.size(), 1u + 3 * (per_head ? 3 : 1) * (per_batch ? 2 : 1));
      EXPECT_EQ(pattern.seen_by(shape, 1, 2, 299).size(), 2u);
      EXPECT_DOUBLE_EQ(flops_of(shape, pattern), flops_of(shape));
    }
}

TEST(Pattern, CausalWorkIsOfBlocksThatAreThere) {
  const Shape shape{.queries = 256, .keys = 256, .depth = 8, .causal = true};
  const HostPattern diagonal = random_pattern(shape, {.density = 0, .diagonal = true}, 1);
  EXPECT_DOUBLE_EQ(flops_of(shape, diagonal), 4.0 * 8 * 2 * (128 * 129 / 2));
}

HostOperands heads_of(const std::vector<float>& q, const std::vector<float>& k, const std::vector<float>& v,
                      const Shape& shape) {
  const Strides queries = heads_first(shape.heads, shape.queries, shape.depth);
  const Strides keys = heads_first(shape.key_heads, shape.keys, shape.depth);
  return {q, k, v, queries, keys, keys, queries};
}

TEST(Reference, EqualKeysGiveTheMeanOfTheValuesSeen) {
  const Shape shape{.queries = 2, .keys = 2, .depth = 2, .causal = true};
  const Expected out = reference(DataType::fp16, shape, 1, heads_of({1, 2, 3, 4}, {1, 1, 1, 1}, {1, 2, 5, 6}, shape));
  EXPECT_DOUBLE_EQ(out.value[0], 1);
  EXPECT_DOUBLE_EQ(out.value[1], 2);
  EXPECT_DOUBLE_EQ(out.value[2], 3);
  EXPECT_DOUBLE_EQ(out.value[3], 4);
}

TEST(Reference, WeightsAreTheSoftmaxOfScaledProducts) {
  const Shape shape{.queries = 1, .keys = 2, .depth = 1};
  const Expected out = reference(DataType::fp16, shape, 0.5F, heads_of({2}, {1, 0}, {1, 0}, shape));
  EXPECT_NEAR(out.value[0], std::exp(1.0) / (std::exp(1.0) + 1), 1e-12);
}

TEST(Reference, RowsThatSeeNoKeyAreZeroExactly) {
  const Shape shape{.queries = 2, .keys = 1, .depth = 1, .causal = true, .diagonal = -1};
  const Expected out = reference(DataType::fp16, shape, 1, heads_of({1, 1}, {1}, {3}, shape));
  EXPECT_EQ(out.value[0], 0);
  EXPECT_EQ(out.magnitude[0], 0);
  EXPECT_EQ(out.value[1], 3);
}

TEST(Reference, GroupedHeadsShareKeys) {
  const Shape shape{.heads = 2, .key_heads = 1, .queries = 1, .keys = 1, .depth = 1};
  const Expected out = reference(DataType::fp16, shape, 1, heads_of({1, 2}, {1}, {7}, shape));
  EXPECT_EQ(out.value[0], 7);
  EXPECT_EQ(out.value[1], 7);
}

TEST(Reference, PackedSequencesSeeTheirOwnKeysAlone) {
  const std::vector<SequenceLength> lengths = {{1, 2}, {1, 1}};
  const HostOffsets offsets(lengths);
  const Shape shape = offsets.packed({.depth = 1});
  const Strides rows{0, 0, 1};
  const std::vector<float> q = {1, 1}, k = {2, 2, 9}, v = {1, 3, 8};
  const Expected out = packed_reference(DataType::fp16, shape, 1, {q, k, v, rows, rows, rows, rows}, offsets);
  EXPECT_DOUBLE_EQ(out.value[0], 2);
  EXPECT_DOUBLE_EQ(out.value[1], 8);
}

TEST(Reference, PatternsLeaveKeysOut) {
  const Shape shape{.queries = 2, .keys = 4, .depth = 1};
  HostPattern pattern{.kind = {.rows = 1, .columns = 2}, .row_blocks = 2, .offsets = {0, 1, 1}, .blocks = {1}};
  const std::vector<float> q = {1, 1}, k = {2, 2, 5, 5}, v = {1, 3, 8, 10};
  const Expected out = sparse_reference(DataType::fp16, shape, 1, heads_of(q, k, v, shape), pattern);
  EXPECT_DOUBLE_EQ(out.value[0], 9);
  EXPECT_EQ(out.value[1], 0);
}

TEST(Fuzz, ProblemsAreValidAndSmall) {
  std::set<Layout> layouts;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const CheckProblem problem = random_problem(seed);
    EXPECT_EQ(shape_refusal(problem.shape), nullptr) << to_string(problem);
    EXPECT_LT(flops_of(problem) / 4, 110e6) << to_string(problem);
    layouts.insert(problem.layout());
  }
  EXPECT_EQ(layouts.size(), 3u);
}

TEST(Fuzz, ShrinksPackedSequences) {
  CheckProblem problem{.shape = {.heads = 2, .key_heads = 2}, .sequences = {{30, 30}, {200, 100}, {7, 0}}};
  const CheckProblem small = smallest_failing(problem.packed(), [](const CheckProblem& tried) {
    return std::any_of(tried.sequences.begin(), tried.sequences.end(),
                       [](const auto& one) { return one.queries >= 65; });
  });
  ASSERT_EQ(small.sequences.size(), 1u);
  EXPECT_EQ(small.sequences[0].queries, 65);
  EXPECT_EQ(small.sequences[0].keys, 0);
  EXPECT_EQ(small.shape.queries, 65);
}

TEST(Fuzz, ShrinksToTheSmallestThatFails) {
  CheckProblem problem = random_problem(3);
  problem.shape = {.batch = 3, .heads = 8, .key_heads = 2, .queries = 300, .keys = 300, .depth = 64};
  const CheckProblem small =
      smallest_failing(problem, [](const CheckProblem& tried) { return tried.shape.queries >= 65; });
  EXPECT_EQ(small.shape.queries, 65);
  EXPECT_EQ(small.shape.keys, 1);
  EXPECT_EQ(small.shape.batch, 1);
  EXPECT_EQ(small.shape.heads, 1);
}

}  // namespace
}  // namespace kernels::attention
