// SPDX-License-Identifier: Apache-2.0
#include "core/history/change_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace kernelgate::history {
namespace change_points_test {

struct Level {
  std::size_t points;
  double log_time;
};

std::vector<double> history_of(const std::vector<Level>& levels, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, sd);
  std::vector<double> out;
  for (const Level& level : levels)
    for (std::size_t i = 0; i < level.points; ++i) out.push_back(level.log_time + noise(random));
  return out;
}

TEST(ChangePoints, OneStepIsFoundWithItsSize) {
  const auto found = find_change_points(history_of({{40, 0}, {40, std::log(1.03)}}, 0.003, 1));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_NEAR(static_cast<double>(found->front().index), 40, 1);
  EXPECT_NEAR(found->front().ratio, 1.03, 0.003);
  EXPECT_LT(found->front().p, 1e-6);
  EXPECT_EQ(found->front().before + found->front().after, 80U);
}

TEST(ChangePoints, ARiseDoesNotHideTheFallBehindIt) {
  const auto found = find_change_points(history_of({{60, 0}, {12, 0.05}, {60, 0}}, 0.004, 2));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_NEAR(static_cast<double>((*found)[0].index), 60, 1);
  EXPECT_NEAR(static_cast<double>((*found)[1].index), 72, 1);
  EXPECT_GT((*found)[0].ratio, 1);
  EXPECT_LT((*found)[1].ratio, 1);
}

TEST(ChangePoints, ImprovementsAreFoundToo) {
  const auto found = find_change_points(history_of({{20, 0}, {20, -0.08}, {20, -0.12}}, 0.004, 3));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_LT((*found)[0].ratio, 0.95);
}

TEST(ChangePoints, LevelHistoriesGiveFewerFalseAlarmsThanAlpha) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const auto found = find_change_points(history_of({{100, 0}}, 0.01, 1000 + seed), {.alpha = 0.01});
    alarms += !found->empty();
  }
  EXPECT_LE(alarms, 20) << "of 2000 histories of 100 points at alpha .01";
}

std::vector<double> correlated(std::size_t points, double phi, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  std::vector<double> out{noise(random)};
  while (out.size() < points) out.push_back(phi * out.back() + std::sqrt(1 - phi * phi) * noise(random));
  for (double& x : out) x *= sd;
  return out;
}

TEST(ChangePoints, CorrelatedHistoriesGiveNoMore) {
  for (double phi : {0.3, 0.5, 0.7}) {
    int alarms = 0;
    for (unsigned seed = 0; seed < 2000; ++seed)
      alarms += !find_change_points(correlated(200, phi, 0.01, 5000 + seed))->empty();
    EXPECT_LE(alarms, 10) << "of 2000 histories of 200 points, phi " << phi;
  }
}

TEST(ChangePoints, AStepInACorrelatedHistoryIsFound) {
  int found = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto points = correlated(200, 0.7, 0.003, 9000 + seed);
    for (std::size_t i = 100; i < 200; ++i) points[i] += std::log(1.03);
    const auto changes = find_change_points(points);
    found += changes->size() == 1 && std::abs(static_cast<double>((*changes)[0].index) - 100) <= 3 ? 1 : 0;
  }
  EXPECT_GE(found, 90);
}

TEST(ChangePoints, SingleOutliersAreNoChange) {
  auto points = history_of({{80, 0}}, 0.002, 4);
  for (std::size_t i : {10U, 33U, 34U, 60U}) points[i] += 0.5;
  EXPECT_TRUE(find_change_points(points)->empty());
}

TEST(ChangePoints, ShiftsBelowTheLeastEffectAreLeftOut) {
  EXPECT_TRUE(find_change_points(history_of({{500, 0}, {500, 0.003}}, 0.001, 5))->empty());
}

TEST(ChangePoints, ConstantsShortHistoriesAndNonsenseAreAnswered) {
  EXPECT_TRUE(find_change_points(std::vector<double>(50, 1.0))->empty());
  EXPECT_TRUE(find_change_points(std::vector<double>{})->empty());
  EXPECT_TRUE(find_change_points(std::vector<double>{1, 2, 3})->empty());
  const auto bad = find_change_points(std::vector<double>{0, std::numeric_limits<double>::quiet_NaN()});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "point 1");
  EXPECT_FALSE(find_change_points(std::vector<double>(9, 0.0), {.min_size = 1}));
}

TEST(ChangePoints, TheSameHistoryGivesTheSameAnswer) {
  const auto points = history_of({{300, 0}, {200, 0.02}, {300, 0.01}}, 0.004, 6);
  const auto first = find_change_points(points), second = find_change_points(points);
  ASSERT_EQ(first->size(), second->size());
  for (std::size_t i = 0; i < first->size(); ++i) EXPECT_EQ((*first)[i].index, (*second)[i].index);
}

// The approximation against the maximum itself, over seeded normal points.
TEST(ChangePoints, TheMaximalStatisticHasItsStatedTail) {
  constexpr std::size_t kPoints = 60, kMin = 5;
  constexpr int kTrials = 20000;
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise;
  const double n = kPoints;
  std::vector<double> values(kPoints);
  int beyond = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    double total = 0, sum = 0, best = 0;
    for (double& value : values) total += value = noise(random);
    for (std::size_t k = 1; k <= kPoints - kMin; ++k) {
      sum += values[k - 1];
      const auto left = static_cast<double>(k);
      if (k >= kMin) best = std::max(best, std::abs(sum - total * left / n) / std::sqrt(left * (n - left) / n));
    }
    beyond += best >= 3.2;
  }
  const double seen = static_cast<double>(beyond) / kTrials;
  EXPECT_LE(seen, 1.1 * maximal_p(3.2, kMin, kPoints - kMin, kPoints)) << "conservative";
  EXPECT_GE(seen, 0.3 * maximal_p(3.2, kMin, kPoints - kMin, kPoints)) << "not uselessly so";
}

}  // namespace change_points_test
}  // namespace kernelgate::history
