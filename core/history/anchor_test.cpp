// SPDX-License-Identifier: Apache-2.0
#include "core/history/anchor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace kernelgate::history {
namespace anchor_test {

std::vector<double> level(std::size_t points, double mean, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(mean, sd);
  std::vector<double> out;
  for (std::size_t i = 0; i < points; ++i) out.push_back(noise(random));
  return out;
}

TEST(Anchor, TwentySessionsGiveAPredictionInterval) {
  const std::vector<double> sessions = level(24, 0, 0.006, 1);
  const auto held = compare_with_level(std::vector<double>{0.05}, 99, sessions);  // the level itself does not count
  ASSERT_TRUE(held);
  EXPECT_EQ(held->spread, AnchorSpread::sessions);
  EXPECT_EQ(held->count, 24);
  EXPECT_NEAR(held->ratio, std::exp(0.05), 0.005);
  EXPECT_GT(*held->low, 1.02);
  EXPECT_LT(*held->high, 1.09);
}

TEST(Anchor, FewerSessionsFallBackToTheSpreadOfTheHistory) {
  auto points = level(30, 0, 0.004, 2);
  for (double& point : level(30, 0.04, 0.004, 3)) points.push_back(point);  // a step does not widen it
  const auto held = compare_with_level(points, 0, std::vector<double>(19, 0.0));
  EXPECT_EQ(held->spread, AnchorSpread::history);
  EXPECT_EQ(held->count, 60);
  EXPECT_GT(*held->low, 1);
  EXPECT_LT(std::log(*held->high / *held->low), 2 * 4 * std::sqrt(2.0) * 0.004);
}

TEST(Anchor, TheIntervalHoldsTheTruthAsOftenAsItSays) {
  int missed = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const auto all = level(31, 0, 0.01, 10 + seed);
    const auto held = compare_with_level(std::span(all).subspan(1), all[0], {});
    missed += *held->low > 1 || *held->high < 1;
  }
  EXPECT_LE(missed, 40) << "of 2000 at 99 %";
}

TEST(Anchor, FewPointsHaveNoInterval) {
  const auto held = compare_with_level(std::vector<double>{0.1, 0.1, 0.2}, 0.1, {});
  EXPECT_EQ(held->spread, AnchorSpread::none);
  EXPECT_FALSE(held->low);
  EXPECT_NEAR(held->ratio, std::exp(0.1), 1e-12);
}

TEST(Anchor, NonsenseIsRefused) {
  EXPECT_FALSE(compare_with_level({}, 0, {}));
  EXPECT_FALSE(compare_with_level(std::vector<double>{NAN}, 0, {}));
  EXPECT_FALSE(compare_with_level(std::vector<double>{0}, NAN, {}));
}

}  // namespace anchor_test
}  // namespace kernelgate::history
