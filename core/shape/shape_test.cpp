// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace kernelgate::shape {
namespace shape_test {

struct Noise {
  double width = 0.004;
  double slow_samples = 0;  // chance of a sample in the tail, and how far
  double slow_by = 0.15;
  double slow_processes = 0;  // chance of a process in a second mode, and how far
  double mode_by = 0.03;
};

std::vector<ProcessSamples> side(const Noise& noise, int processes, unsigned seed, double level = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise.width);
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> far;  // as spikes are
  std::vector<ProcessSamples> out;
  for (int i = 0; i < processes; ++i) {
    const double mode = uniform(random) < noise.slow_processes ? noise.mode_by : 0;
    ProcessSamples samples;
    for (int k = 0; k < 9; ++k)
      samples.push_back(level + mode + normal(random) +
                        (uniform(random) < noise.slow_samples ? noise.slow_by * far(random) : 0));
    out.push_back(std::move(samples));
  }
  return out;
}

TEST(Shape, AGrowingTailIsFound) {
  const auto found = find_change(side({}, 12, 1), side({.slow_samples = 0.35}, 12, 2));
  ASSERT_TRUE(found);
  ASSERT_TRUE(*found);
  EXPECT_EQ((*found)->kind, Kind::tail);
  EXPECT_NEAR((*found)->head_share, 0.35 * std::exp(-std::log(1.05) / 0.15), 0.12);
  EXPECT_LT((*found)->base_share, 0.02);
}

TEST(Shape, ASecondModeIsFoundWithItsDistance) {
  const auto found = find_change(side({.width = 0.002}, 16, 3), side({.width = 0.002, .slow_processes = 0.5}, 16, 5));
  ASSERT_TRUE(*found);
  EXPECT_EQ((*found)->kind, Kind::modes);
  EXPECT_NEAR((*found)->distance, std::expm1(0.03), 0.003);
  const auto& histogram = (*found)->histogram;
  EXPECT_EQ(std::accumulate(histogram.head.begin(), histogram.head.end(), 0), 16 * 9);
  EXPECT_EQ(histogram.base.size(), static_cast<std::size_t>(kBins));
}

TEST(Shape, AModeThatGoesAwayIsFoundToo) {
  const auto found = find_change(side({.width = 0.002, .slow_processes = 0.5}, 16, 5), side({.width = 0.002}, 16, 3));
  ASSERT_TRUE(*found);
  EXPECT_GT((*found)->base_share, (*found)->head_share);
}

TEST(Shape, APlainShiftIsNoChangeOfShape) {
  for (double shift : {0.01, 0.03, 0.4}) EXPECT_FALSE(*find_change(side({}, 8, 6), side({}, 8, 7, shift))) << shift;
}

TEST(Shape, TheSameTailOnBothSidesIsQuiet) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 1000; ++seed)
    alarms += find_change(side({.slow_samples = 0.1, .slow_processes = 0.3}, 8, 2 * seed),
                          side({.slow_samples = 0.1, .slow_processes = 0.3}, 8, 2 * seed + 1))
                  ->has_value();
  EXPECT_LE(alarms, 10) << "of 1000, on two-moded benchmarks with tails";
}

TEST(Shape, FewProcessesAndConstantsSayNothing) {
  EXPECT_FALSE(*find_change(side({}, 3, 8), side({.slow_samples = 0.9}, 3, 9)));
  EXPECT_FALSE(*find_change(side({.width = 0}, 8, 8), side({.width = 0}, 8, 9)));
}

TEST(Shape, NonsenseIsRefused) {
  auto bad = side({}, 4, 1);
  bad[2][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(find_change(bad, side({}, 4, 2)));
}

}  // namespace shape_test
}  // namespace kernelgate::shape
