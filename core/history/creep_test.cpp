// SPDX-License-Identifier: Apache-2.0
#include "core/history/creep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kernelgate::history {
namespace creep_test {

// `level` points at 0, then `steps` points each `step` (a ratio) above the one before.
std::vector<double> ramp(std::size_t level, std::size_t steps, double step, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, sd);
  std::vector<double> out;
  for (std::size_t i = 0; i < level + steps; ++i) {
    const double climbed = i < level ? 0 : static_cast<double>(i - level + 1);
    out.push_back(climbed * std::log1p(step) + (sd > 0 ? noise(random) : 0));
  }
  return out;
}

TEST(Creep, TenCommitsOfHalfAPercentAreOneCreepWithItsStart) {
  const auto found = find_creep(ramp(20, 10, 0.005, 0.002, 1));
  ASSERT_TRUE(found);
  ASSERT_TRUE(*found);
  EXPECT_NEAR(static_cast<double>((*found)->start), 19, 2);
  EXPECT_NEAR((*found)->ratio, std::pow(1.005, 10), 0.008);
  EXPECT_NEAR((*found)->ratio_per_point, 1.005, 0.001);
}

TEST(Creep, IsFoundWithoutAnyNoise) {
  const auto found = find_creep(ramp(20, 10, 0.005, 0, 0));
  ASSERT_TRUE(*found);
  EXPECT_EQ((*found)->start, 19U);
  EXPECT_NEAR((*found)->ratio, std::pow(1.005, 10), 1e-9);
}

TEST(Creep, GettingFasterIsFoundToo) {
  const auto found = find_creep(ramp(15, 12, -0.004, 0.001, 2));
  ASSERT_TRUE(*found);
  EXPECT_LT((*found)->ratio, 0.97);
}

TEST(Creep, OneStepIsNotCreep) {
  std::vector<double> points = ramp(30, 0, 0, 0.002, 3);
  for (double value : ramp(30, 0, 0, 0.002, 4)) points.push_back(value + 0.05);
  EXPECT_FALSE(*find_creep(points));
}

TEST(Creep, ARiseWithinTheToleratedIsNoCreep) { EXPECT_FALSE(*find_creep(ramp(20, 10, 0.0005, 0.0001, 5))); }

TEST(Creep, LevelHistoriesAreQuiet) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 2000; ++seed)
    alarms += find_creep(ramp(60, 0, 0, 0.02, 100 + seed), {.alpha = 0.01})->has_value();
  EXPECT_LE(alarms, 20) << "of 2000 at alpha .01";
}

TEST(Creep, ShortHistoriesAndNonsenseAreAnswered) {
  EXPECT_FALSE(*find_creep(std::vector<double>{}));
  EXPECT_FALSE(*find_creep(std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(*find_creep(std::vector<double>(50, 2.5)));
  EXPECT_FALSE(find_creep(std::vector<double>{0, std::numeric_limits<double>::infinity()}));
}

}  // namespace creep_test
}  // namespace kernelgate::history
