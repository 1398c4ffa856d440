// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <stdexcept>

#include "kernels/bench/arguments.hpp"
#include "kernels/bench/datasheet.hpp"
#include "kernels/bench/random.hpp"

namespace kernels::bench {
namespace {

constexpr std::size_t kMiB = 1 << 20, kL2 = 60 * kMiB;

TEST(Rotation, WarmOperandsStayInHalfTheL2AndLieInSeveralPlaces) {
  struct {
    std::size_t footprint;
    int sets, placements;
  } const cases[] = {{0, 1, 1},         {4096, 8, 9},      {3 * kMiB, 8, 9},     {8 * kMiB, 3, 9},
                     {30 * kMiB, 1, 9}, {60 * kMiB, 1, 9}, {60 * kMiB + 1, 1, 1}};
  for (const auto& one : cases) {
    const Rotation rotation = rotation_for(Cache::warm, one.footprint, kL2);
    EXPECT_EQ(rotation.mode, Mode::graph);
    EXPECT_EQ(rotation.sets, one.sets) << one.footprint;
    EXPECT_EQ(rotation.placements, one.placements) << one.footprint;
  }
}

TEST(Rotation, ColdSetsAddUpToThreeTimesTheL2) {
  for (const std::size_t footprint : {kMiB, 7 * kMiB, 48 * kMiB, 100 * kMiB, 3 * kL2 - 1}) {
    const Rotation rotation = rotation_for(Cache::cold, footprint, kL2);
    EXPECT_EQ(rotation.mode, Mode::graph);
    EXPECT_GE(rotation.sets * footprint, 3 * kL2) << footprint;
    EXPECT_LT(static_cast<std::size_t>(rotation.sets - 2) * footprint, 3 * kL2) << footprint;
    EXPECT_EQ(rotation.placements, 1);
  }
}

TEST(Rotation, LargeColdOperandsAreFlushed) {
  const Rotation rotation = rotation_for(Cache::cold, 3 * kL2, kL2);
  EXPECT_EQ(rotation.mode, Mode::flushed);
  EXPECT_EQ(rotation.sets, 1);
}

TEST(Rotation, OperandsTooSmallToBeColdAreRefusedInWords) {
  EXPECT_THROW((void)rotation_for(Cache::cold, 0, kL2), std::invalid_argument);
  try {
    (void)rotation_for(Cache::cold, 4096, kL2);
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("4096 bytes are too small"), std::string::npos);
  }
}

TEST(Calls, FillABatchAndTakeEachSetEquallyOften) {
  for (const double call_ms : {0.0005, 0.002, 0.01, 0.05, 0.4, 0.55, 3.0})
    for (const int sets : {1, 2, 45}) {
      const int calls = calls_for(call_ms, sets);
      EXPECT_EQ(calls % sets, 0);
      EXPECT_GE(calls * call_ms, kShortestMs) << call_ms << " " << sets;
      EXPECT_LT((calls - sets) * call_ms, kBatchMs) << call_ms << " " << sets;
    }
}

TEST(Calls, AreBoundedForACallThatTakesNoTime) {
  EXPECT_EQ(calls_for(0, 1), kCallsMax);
  EXPECT_LT(calls_for(-1, 5), kCallsMax + 5);
}

TEST(Reset, IsSubtractedAndNeverLeavesLessThanNothing) {
  EXPECT_DOUBLE_EQ(without_reset(0.75, 0.25), 0.5);
  EXPECT_DOUBLE_EQ(without_reset(0.1, 0.2), 0);
}

TEST(Median, OfOddEvenAndNone) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), 0);
}

TEST(Name, EndsInTheStateOfTheCache) {
  EXPECT_EQ(full_name("copy/4MiB", Cache::warm), "copy/4MiB/warm");
  EXPECT_EQ(full_name("copy/4MiB", Cache::cold), "copy/4MiB/cold");
  EXPECT_EQ(result_name("copy/4MiB", Cache::cold), "copy/4MiB/cold/manual_time");
}

TEST(Datasheet, KnowsCardsByTheMoreExactNameFirst) {
  EXPECT_EQ(datasheet_of("NVIDIA H200")->copy_gb_s, 4800);
  EXPECT_EQ(datasheet_of("NVIDIA H200 NVL")->fp16, 835);
  EXPECT_EQ(datasheet_of("NVIDIA H100 PCIe")->copy_gb_s, 2000);
  EXPECT_EQ(datasheet_of("NVIDIA H100 80GB HBM3")->copy_gb_s, 3350);
  EXPECT_EQ(datasheet_of("NVIDIA A100-SXM4-80GB")->tflops(Rate::fp8), 0);
  EXPECT_TRUE(datasheet_of("NVIDIA B200"));
  EXPECT_FALSE(datasheet_of("GeForce 256"));
}

TEST(Datasheet, PercentOfPeakIsTheNearerRoof) {
  const Datasheet sheet = *datasheet_of("NVIDIA H200");
  EXPECT_NEAR(percent_of_peak(sheet, Rate::fp16, 989e9, 0, true, 2e-3), 50, 1e-9);
  EXPECT_NEAR(percent_of_peak(sheet, Rate::fp16, 0, 4.8e9, true, 2e-3), 50, 1e-9);
  EXPECT_EQ(percent_of_peak(sheet, Rate::fp16, 0, 4.8e9, false, 2e-3), 0);
  EXPECT_EQ(percent_of_peak(sheet, Rate::fp16, 1, 1, true, 0), 0);
}

TEST(Random, IsNeverZeroAndExactInHalf) {
  std::set<float> seen;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const float value = random_value(kSeed, i);
    ASSERT_NE(value, 0);
    ASSERT_LT(std::fabs(value), 1);
    ASSERT_EQ(std::fmod(value * 2048, 2), value > 0 ? 1 : -1);  // an odd multiple of 2^-11
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 2048);
  EXPECT_NE(random_bits(1, 0), random_bits(0, 1));
}

TEST(Arguments, ListingIsToldInEachSpelling) {
  const auto asks = [](const char* argument) {
    const char* arguments[] = {"program", argument};
    return wants_list(2, arguments);
  };
  EXPECT_TRUE(asks("--benchmark_list_tests"));
  EXPECT_TRUE(asks("--benchmark_list_tests=true"));
  EXPECT_TRUE(asks("--benchmark_list_tests=1"));
  EXPECT_FALSE(asks("--benchmark_list_tests=false"));
  EXPECT_FALSE(asks("--benchmark_filter=list"));
}

TEST(Configurations, AreReadLineByLine) {
  const Configurations found = configurations_of("# pinned\n\na/b:1/manual_time=wgmma/64x512x64\nodd=name=wmma");
  EXPECT_EQ(found, (Configurations{{"a/b:1/manual_time", "wgmma/64x512x64"}, {"odd=name", "wmma"}}));
  EXPECT_TRUE(configurations_of("").empty());
}

TEST(Configurations, AreReadFromAFile) {
  const std::string path = testing::TempDir() + "configurations.txt";
  std::ofstream(path) << "one=dense\n";
  EXPECT_EQ(configurations_of("@" + path), (Configurations{{"one", "dense"}}));
  std::ofstream(path + ".long") << std::string(kConfigurationsBytesMax + 1, '\n');
  for (const std::string& none : {path + ".absent", path + ".long", testing::TempDir(), std::string("/dev/zero")})
    EXPECT_THROW((void)configurations_of("@" + none), std::runtime_error) << none;
}

TEST(Configurations, WhatIsNoLineIsRefused) {
  for (const char* text : {"no equals sign", "=dense", "one=", "one=two words", "one=dense\n\nbroken"})
    EXPECT_THROW((void)configurations_of(text), std::runtime_error) << text;
  EXPECT_THROW((void)configurations_of("one=" + std::string(kConfigurationBytesMax + 1, 'x')), std::runtime_error);
}

}  // namespace
}  // namespace kernels::bench
