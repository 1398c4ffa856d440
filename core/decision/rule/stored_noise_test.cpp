// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace kernelgate {
namespace stored_noise_test {

// Comparisons of four pairs with standard deviation `sd`, that differs from run to run and leaves run means off.
std::vector<PastComparison> comparisons(int count, double sd, double spread, double off, int seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<PastComparison> out;
  for (int i = 0; i < count; ++i) {
    const double own = sd * std::exp(spread * normal(random)), shift = off * normal(random);
    double sum = 0, squares = 0;
    for (int pair = 0; pair < 4; ++pair) {
      const double d = shift + own * normal(random);
      sum += d;
      squares += d * d;
    }
    out.push_back({.pairs = 4, .mean = sum / 4, .sum_squares = squares - sum * sum / 4, .degrees = 3});
  }
  return out;
}

TEST(StoredNoise, NeedsFifteenDegrees) {
  EXPECT_FALSE(stored_noise(comparisons(4, .007, 0, 0)));
  const auto five = stored_noise(comparisons(5, .007, 0, 0));
  ASSERT_TRUE(five);
  EXPECT_EQ(five->degrees, 15);
  EXPECT_EQ(five->weight, 15);
}

TEST(StoredNoise, IsThePooledVarianceOfSteadyRuns) {
  double sum = 0;
  for (int seed = 0; seed < 200; ++seed) sum += stored_noise(comparisons(20, .007, 0, 0, seed))->variance / 200;
  EXPECT_NEAR(sum, .007 * .007, .05 * .007 * .007);
}

TEST(StoredNoise, OneWideComparisonDoesNotSetIt) {
  auto past = comparisons(8, .007, 0, 0);
  const double steady = stored_noise(past)->variance;
  past[2].sum_squares = 3 * .3 * .3;
  EXPECT_LT(stored_noise(past)->variance, 2.5 * steady);
}

TEST(StoredNoise, CountsForLessWhereRunsDiffer) {
  int steady = 0, differing = 0;
  for (int seed = 0; seed < 100; ++seed) {
    steady += stored_noise(comparisons(20, .007, 0, 0, seed))->weight >= 30 ? 1 : 0;
    differing += stored_noise(comparisons(20, .007, 1, 0, seed))->weight <= 8 ? 1 : 0;
  }
  EXPECT_GE(steady, 70);
  EXPECT_GE(differing, 80);
}

TEST(StoredNoise, CountsForLessWhereItIsOld) {
  auto past = comparisons(5, .007, 0, 0);
  for (PastComparison& one : past) one.age_days = kStoredHalfLifeDays;
  EXPECT_NEAR(stored_noise(past)->weight, 7.5, 1e-9);
}

TEST(StoredNoise, SeesWhatRunsDifferBy) {
  int none = 0, seen = 0;
  double between = 0;
  for (int seed = 0; seed < 100; ++seed) {
    none += stored_noise(comparisons(20, .003, 0, 0, seed))->between == 0 ? 1 : 0;
    const double variance = stored_noise(comparisons(20, .003, 0, .016, seed))->between;
    seen += variance > 0 ? 1 : 0;
    between += std::sqrt(variance) / 100;
  }
  EXPECT_GE(none, 97);
  EXPECT_EQ(seen, 100);
  EXPECT_NEAR(between, .016, .003);
}

TEST(StoredNoise, CommitsThatChangedSomethingAreNoSpreadBetweenRuns) {
  auto past = comparisons(20, .003, 0, 0);
  for (int i : {3, 9, 15}) past[static_cast<std::size_t>(i)].mean = .1;
  EXPECT_EQ(stored_noise(past)->between, 0);
}

TEST(StoredNoise, EqualTimesAreNoNoise) {
  const auto none =
      stored_noise(std::vector<PastComparison>(10, {.pairs = 4, .mean = 0, .sum_squares = 0, .degrees = 3}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->variance, 0);
  EXPECT_EQ(none->between, 0);
}

}  // namespace stored_noise_test
}  // namespace kernelgate
