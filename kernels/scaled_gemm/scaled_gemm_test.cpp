// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/scaled_gemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/scaled_gemm/codecs.hpp"
#include "kernels/scaled_gemm/cost.hpp"
#include "kernels/scaled_gemm/fuzz.hpp"
#include "kernels/scaled_gemm/harness.hpp"
#include "kernels/scaled_gemm/inputs.hpp"
#include "kernels/scaled_gemm/stages.hpp"
#include "kernels/scaled_gemm/tile_order.hpp"

namespace kernels::scaled {
namespace {

TEST(E4m3, DecodesTheFormatsLandmarks) {
  EXPECT_EQ(decode_e4m3(0x00), 0);
  EXPECT_EQ(decode_e4m3(0x01), 0x1p-9F);
  EXPECT_EQ(decode_e4m3(0x07), 7 * 0x1p-9F);
  EXPECT_EQ(decode_e4m3(0x08), 0x1p-6F);
  EXPECT_EQ(decode_e4m3(0x38), 1);
  EXPECT_EQ(decode_e4m3(0xbc), -1.5F);
  EXPECT_EQ(decode_e4m3(0x7e), 448);
  EXPECT_TRUE(std::isnan(decode_e4m3(0x7f)));
  EXPECT_TRUE(std::isnan(decode_e4m3(0xff)));
}

TEST(E4m3, EveryValueEncodesToItself) {
  for (int bits = 0; bits < 256; ++bits) {
    if ((bits & 0x7f) == kE4m3Nan) continue;
    EXPECT_EQ(encode_e4m3(decode_e4m3(static_cast<std::uint8_t>(bits))), bits) << bits;
  }
  EXPECT_EQ(encode_e4m3(std::nanf("")), kE4m3Nan);
}

TEST(E4m3, RoundsToTheNearestAndTiesToEven) {
  for (int bits = 0; bits < 0x7e; ++bits) {
    const float low = decode_e4m3(static_cast<std::uint8_t>(bits)),
                high = decode_e4m3(static_cast<std::uint8_t>(bits + 1));
    const float middle = (low + high) / 2;
    EXPECT_EQ(encode_e4m3(std::nextafter(middle, low)), bits);
    EXPECT_EQ(encode_e4m3(std::nextafter(middle, high)), bits + 1);
    EXPECT_EQ(encode_e4m3(middle), bits % 2 == 0 ? bits : bits + 1);
  }
  EXPECT_EQ(encode_e4m3(1e30F), 0x7e);
  EXPECT_EQ(encode_e4m3(-1e30F), 0xfe);
}

TEST(SmallFormats, DecodeTheirLandmarks) {
  const float values[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(decode_e2m1(static_cast<std::uint8_t>(i)), values[i]);
    EXPECT_EQ(decode_e2m1(static_cast<std::uint8_t>(i + 8)), -values[i]);
  }
  EXPECT_EQ(decode_e8m0(127), 1);
  EXPECT_EQ(decode_e8m0(0), 0x1p-127F);
  EXPECT_EQ(decode_e8m0(254), 0x1p127F);
  EXPECT_TRUE(std::isnan(decode_e8m0(255)));
}

TEST(Shape, RefusesWhatTheCopyEngineCannotMove) {
  EXPECT_EQ(shape_refusal({.m = 1, .n = 16, .k = 16}), nullptr);
  EXPECT_NE(shape_refusal({.m = 1, .n = 24, .k = 16}), nullptr);
  EXPECT_NE(shape_refusal({.m = 1, .n = 16, .k = 8}), nullptr);
  EXPECT_NE(shape_refusal({.m = 0, .n = 16, .k = 16}), nullptr);
  EXPECT_NE(shape_refusal({.m = 200, .n = 16, .k = 16, .grouping = Grouping::contiguous}), nullptr);
  EXPECT_EQ(shape_refusal({.m = 256, .n = 16, .k = 16, .grouping = Grouping::contiguous, .alignment = 256}), nullptr);
}

TEST(Shape, CountsScalesOfPartsOfBlocks) {
  const Shape shape{.m = 3, .n = 144, .k = 272, .matrices = 2};
  EXPECT_EQ(shape.a_scale_pitch(), 4);
  EXPECT_EQ(shape.a_scale_count(), 2U * 3 * 4);
  EXPECT_EQ(shape.b_scale_count(), 2U * 2 * 3);
  EXPECT_EQ(flops_of(shape), 2.0 * 2 * 3 * 144 * 272);
  EXPECT_EQ(to_string(shape), "3x144x272x2");
}

TEST(TileOrder, TakesEveryTileOnceAndSectionsAlone) {
  for (const TileOrder order : {TileOrder{7, 5, 3}, TileOrder{1, 9, 8}, TileOrder{8, 1, 8}, TileOrder{16, 3, 4}}) {
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < order.tiles(); ++i) {
      const TileOrder::Place place = order.at(i);
      EXPECT_TRUE(place.row_tile >= 0 && place.row_tile < order.row_tiles && place.column < order.columns);
      EXPECT_EQ(place.row_tile / order.section, i / (order.section * order.columns));
      seen.insert({place.row_tile, place.column});
    }
    EXPECT_EQ(static_cast<int>(seen.size()), order.tiles());
  }
}

TEST(StagePlan, GivesOperandsTheRoomFirst) {
  const StagePlan three = plan_stages(192, 128);  // three consumers
  EXPECT_EQ(three.stages, 4);
  EXPECT_EQ(three.buffers, 2);  // a consumer's whole part of the tile
  EXPECT_EQ(plan_stages(256, 128).stages, 4);
  EXPECT_EQ(plan_stages(256, 128).buffers, 1);
  EXPECT_EQ(plan_stages(256, 128, 3).buffers, 4);  // what a stage gives up
  EXPECT_EQ(plan_stages(256, 128, 5).stages, 0);   // do not fit
  EXPECT_EQ(plan_stages(128, 160).store_columns, 32);
  for (const int rows : {128, 192, 256})
    for (int columns = 32; columns <= 256; columns += 32) {
      const StagePlan plan = plan_stages(rows, columns);
      EXPECT_GE(plan.stages, 2) << rows << "x" << columns;
      EXPECT_GE(plan.buffers, 1);
      EXPECT_LE(plan.shared_bytes, kSharedMax);
      const int each = plan.stage_bytes + plan.scale_bytes, least = consumers_of(rows) * plan.buffer_bytes;
      const int used = plan.shared_bytes - plan.buffers * least;
      EXPECT_TRUE(plan.stages == kStagesMax || used + each + least > kSharedMax) << "a further stage fits";
    }
}

// What the tuner looks at first should be near what was measured: see docs/CUDA_COOKBOOK.md.
TEST(Cost, IsNearWhatAnH200Took) {
  struct Measured {
    Shape shape;
    WideTile tile;
    double us;
  };
  for (const auto& [shape, tile, us] : {Measured{{.m = 8192, .n = 8192, .k = 8192}, {256, 128, 2}, 973},
                                        Measured{{.m = 8192, .n = 8192, .k = 8192}, {192, 128, 1}, 987},
                                        Measured{{.m = 4096, .n = 4096, .k = 7168}, {256, 128, 2}, 212},
                                        Measured{{.m = 4096, .n = 4096, .k = 7168}, {192, 128, 2}, 234},
                                        Measured{{.m = 4096, .n = 7168, .k = 2048}, {256, 128, 2}, 116}})
    EXPECT_NEAR(predicted_us(shape, tile, 132) / us, 1, 0.15) << to_string(shape) << " " << tile.rows;
  EXPECT_NEAR(predicted_us({.m = 128, .n = 7168, .k = 2048}, NarrowTile{128, 112, 2}, 132), 10.2, 1);
  const Shape few{.m = 128, .n = 7168, .k = 2048};
  EXPECT_GT(predicted_us(few, NarrowTile{128, 112, 4}, 132), 1.3 * predicted_us(few, NarrowTile{128, 112, 2}, 132));
}

TEST(Cost, TilesThatAreEmptyCost) {
  const Shape shape{
      .m = 4096, .n = 4096, .k = 7168};  // 352 tiles of 192 rows in pairs take six rounds, 256 of 256 four
  EXPECT_LT(predicted_us(shape, WideTile{256, 128, 2}, 132), predicted_us(shape, WideTile{192, 128, 2}, 132));
}

TEST(Harness, TakesItsArgumentsAndLeavesTheOthers) {
  std::vector<std::string> words = {"--shapes=64x32x16,128x256x512x3",
                                    "--benchmark_repetitions=3",
                                    "--tile",
                                    "192x128",
                                    "--cluster",
                                    "1",
                                    "--stages=3",
                                    "--baseline",
                                    "blocks",
                                    "--skip-check"};
  const HarnessArguments parsed = parse_harness(words);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(words, std::vector<std::string>{"--benchmark_repetitions=3"});
  ASSERT_EQ(parsed.options.shapes.size(), 2U);
  EXPECT_EQ(parsed.options.shapes[1], (Shape{.m = 128, .n = 256, .k = 512, .matrices = 3}));
  EXPECT_TRUE(parsed.options.skip_check);
  EXPECT_FALSE(parsed.options.cold);
  EXPECT_EQ(parsed.options.baseline, "blocks");
  std::string error;
  EXPECT_EQ(configuration_of(parsed.options, error), "wide/192x128x1s3");
  EXPECT_EQ(error, "");
}

TEST(Harness, SaysWhatIsWrong) {
  const auto error_of = [](std::vector<std::string> words) { return parse_harness(words).error; };
  EXPECT_NE(error_of({}), "");
  EXPECT_NE(error_of({"--shapes"}), "");
  EXPECT_NE(error_of({"--shapes", "64x32"}).find("is not MxNxK"), std::string::npos);
  EXPECT_NE(error_of({"--shapes", "64x32x16,"}).find("is not MxNxK"), std::string::npos);
  EXPECT_NE(error_of({"--shapes", "1x2x3x4x5"}).find("is not MxNxK"), std::string::npos);
  EXPECT_NE(error_of({"--shapes", "64x40x16"}).find("multiples of 16"), std::string::npos);
  EXPECT_NE(error_of({"--shapes", "64x32x16", "--tile", "256"}), "");
  EXPECT_NE(error_of({"--shapes", "64x32x16", "--stages", "0"}), "");
  EXPECT_NE(error_of({"--shapes", "64x32x16", "--baseline", "cublas"}), "");
}

TEST(Harness, StagesThatDoNotFitAreNotAskedFor) {
  std::string error;
  HarnessOptions options{.stages = 4};
  EXPECT_EQ(configuration_of(options, error), "wide/256x128x2");  // as many as fit: the usual form
  options.stages = 5;
  (void)configuration_of(options, error);
  EXPECT_NE(error.find("5 do not fit beside the epilogue; 4 do"), std::string::npos);
  EXPECT_EQ(
      stages_table(256, 128).find("2 stages of 50176 bytes, 4 buffers of the epilogue of 16384: 167168 of 232448"), 0U);
}

HostOperands ones(const Shape& shape) {
  return {.a = std::vector<std::uint8_t>(shape.a_count(), 0x38),
          .b = std::vector<std::uint8_t>(shape.b_count(), 0x38),
          .a_scales = std::vector<float>(shape.a_scale_count(), 1),
          .b_scales = std::vector<float>(shape.b_scale_count(), 1)};
}

TEST(Reference, ScalesBelongToRowsAndToBlocks) {
  const Shape shape{.m = 2, .n = 144, .k = 144};
  HostOperands operands = ones(shape);
  EXPECT_EQ(reference_element(shape, operands, 0, 0, 0).value, 144);
  operands.a_scales[4 * 1 + 1] = 10;  // row 1, second block of K, of 16 values
  EXPECT_EQ(reference_element(shape, operands, 0, 0, 5).value, 144);
  EXPECT_EQ(reference_element(shape, operands, 0, 1, 5).value, 128 + 160);
  operands.b_scales[2 * 1 + 0] = 3;  // second block of columns, first block of K
  EXPECT_EQ(reference_element(shape, operands, 0, 1, 127).value, 128 + 160);
  EXPECT_EQ(reference_element(shape, operands, 0, 1, 128).value, 384 + 160);
}

TEST(Reference, GroupsHaveTheirOwnColumns) {
  Shape shape{.m = 384, .n = 16, .k = 16, .matrices = 2, .grouping = Grouping::contiguous};
  HostOperands operands = ones(shape);
  operands.groups = {1, -1, 0};
  std::fill_n(operands.b.begin() + 16 * 16, 16 * 16, 0x40);  // group 1: twos
  EXPECT_EQ(reference_element(shape, operands, 0, 127, 3).value, 32);
  EXPECT_LT(reference_element(shape, operands, 0, 128, 3).magnitude, 0);
  EXPECT_EQ(reference_element(shape, operands, 0, 256, 3).value, 16);
  shape = {.m = 4, .n = 16, .k = 16, .matrices = 2, .grouping = Grouping::masked};
  operands = ones(shape);
  operands.groups = {0, 2};
  EXPECT_LT(reference_element(shape, operands, 0, 0, 0).magnitude, 0);
  EXPECT_EQ(reference_element(shape, operands, 1, 1, 0).value, 16);
  EXPECT_LT(reference_element(shape, operands, 1, 2, 0).magnitude, 0);
}

TEST(Fuzz, ProblemsAreOfTheirSeedAndAreNotRefused) {
  std::set<Grouping> groupings;
  std::set<Content> contents;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const CheckProblem problem = random_problem(seed);
    EXPECT_EQ(to_string(problem), to_string(random_problem(seed)));
    EXPECT_EQ(shape_refusal(problem.shape), nullptr) << to_string(problem);
    EXPECT_LE(flops_of(problem.shape), 100e6) << to_string(problem);
    groupings.insert(problem.shape.grouping);
    contents.insert(problem.content);
  }
  EXPECT_EQ(groupings.size(), 3U);
  EXPECT_EQ(contents.size(), 5U);
}

TEST(Fuzz, OperandsHaveTheirContent) {
  CheckProblem problem{.shape = {.m = 400, .n = 64, .k = 512}, .content = Content::nan};
  const HostOperands nan = operands_of(problem, 3);
  EXPECT_TRUE(std::any_of(nan.a_scales.begin(), nan.a_scales.end(), [](float scale) { return std::isnan(scale); }));
  problem.content = Content::extreme;
  const HostOperands extreme = operands_of(problem, 3);
  for (const float of_a : extreme.a_scales)
    for (const float of_b : extreme.b_scales) EXPECT_TRUE(std::isnormal(of_a * of_b));
  problem.content = Content::bytes;
  const HostOperands bytes = operands_of(problem, 3);
  EXPECT_TRUE(std::none_of(bytes.a.begin(), bytes.a.end(), [](std::uint8_t one) { return (one & 0x7f) == kE4m3Nan; }));
  EXPECT_EQ(std::set<std::uint8_t>(bytes.a.begin(), bytes.a.end()).size(), 254U);
}

TEST(Fuzz, AFailureIsMadeSmaller) {
  CheckProblem problem{.shape = {.m = 300, .n = 640, .k = 512, .matrices = 3}, .content = Content::bytes};
  const CheckProblem small =
      smallest_failing(problem, [](const CheckProblem& tried) { return tried.shape.m > 64 && tried.shape.k > 100; });
  EXPECT_EQ(small.shape, (Shape{.m = 65, .n = 16, .k = 112}));
  EXPECT_EQ(small.content, Content::plain);
}

TEST(Inputs, AreNeverZeroAndFillTheRange) {
  float largest = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const float value = decode_e4m3(operand_at(1, i));
    EXPECT_NE(value, 0);
    largest = std::max(largest, std::fabs(value));
    EXPECT_GT(scale_at(1, i), 1 / (2 * kE4m3Max));
    EXPECT_LT(scale_at(1, i), 2 / kE4m3Max);
  }
  EXPECT_EQ(largest, kE4m3Max);
}

}  // namespace
}  // namespace kernels::scaled
