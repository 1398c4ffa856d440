// SPDX-License-Identifier: Apache-2.0
#include "core/history/trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kernelgate::history {
namespace trend_test {

// A history told as a list of stretches: so many points, each `step` (a ratio less 1) above the one before, after a
// jump of `jump`.
struct Stretch {
  std::size_t points;
  double jump = 0, step = 0;
};

std::vector<double> told(const std::vector<Stretch>& stretches, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> out;
  double level = 0;
  for (const Stretch& stretch : stretches) {
    level += std::log1p(stretch.jump);
    for (std::size_t i = 0; i < stretch.points; ++i) {
      level += std::log1p(stretch.step);
      out.push_back(level + sd * noise(random));
    }
  }
  return out;
}

TEST(Trend, TenCommitsOfHalfAPercentAreCreepAndNoSteps) {
  const auto trend = find_trend(told({{20}, {10, 0, 0.005}}, 0.001, 1));
  ASSERT_TRUE(trend);
  ASSERT_TRUE(trend->creep);
  EXPECT_NEAR(static_cast<double>(trend->creep->start), 19, 1);
  EXPECT_NEAR(trend->creep->ratio, std::pow(1.005, 10), 0.005);
  EXPECT_TRUE(trend->changes.empty());
}

TEST(Trend, CreepWithoutAnyNoiseStartsWhereItStarts) {
  const auto trend = find_trend(told({{8}, {10, 0, 0.005}}, 0, 1));
  ASSERT_TRUE(trend->creep);
  EXPECT_EQ(trend->creep->start, 7U);
  EXPECT_TRUE(trend->changes.empty());
}

TEST(Trend, AnEarlierStepStaysBesideALaterCreep) {
  const auto trend = find_trend(told({{40}, {40, -0.06}, {12, 0, 0.005}}, 0.002, 2));
  ASSERT_TRUE(trend->creep);
  EXPECT_NEAR(static_cast<double>(trend->creep->start), 79, 3);
  ASSERT_EQ(trend->changes.size(), 1U);
  EXPECT_EQ(trend->changes[0].index, 40U);
  EXPECT_LT(trend->changes[0].ratio, 1);
}

TEST(Trend, TwoStepsAreNoCreep) {
  const auto trend = find_trend(told({{20}, {20, 0.03}, {20, 0.03}}, 0.002, 3));
  EXPECT_FALSE(trend->creep);
  ASSERT_EQ(trend->changes.size(), 2U);
  EXPECT_NEAR(trend->changes[1].ratio, 1.03, 0.003);
}

TEST(Trend, LevelAndShortHistoriesShowNothing) {
  for (const std::size_t points : {0U, 1U, 6U, 200U}) {
    const auto trend = find_trend(told({{points}}, 0.004, 4));
    ASSERT_TRUE(trend);
    EXPECT_FALSE(trend->creep) << points;
    EXPECT_TRUE(trend->changes.empty()) << points;
  }
  EXPECT_FALSE(find_trend(std::vector<double>{0, NAN}));
}

TEST(Trend, AStepIsNewOnceOnly) {
  const auto all = told({{30}, {20, 0.04}}, 0.003, 5);
  int confirmed = 0;
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const std::span<const double> points = std::span(all).first(n);
    const auto fresh = newly_confirmed(points, *find_trend(points));
    ASSERT_TRUE(fresh);
    confirmed += static_cast<int>(fresh->size());
    for (const ChangePoint& change : *fresh) EXPECT_NEAR(static_cast<double>(change.index), 30, 2);
  }
  EXPECT_EQ(confirmed, 1);
}

}  // namespace trend_test
}  // namespace kernelgate::history
