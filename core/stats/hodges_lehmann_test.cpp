// SPDX-License-Identifier: Apache-2.0
#include "core/stats/hodges_lehmann.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/stats/pair_sums.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace hodges_lehmann_test {

std::vector<double> random_values(std::mt19937& random, std::size_t count, bool coarse) {
  std::normal_distribution<double> normal;
  std::vector<double> out(count);
  for (double& x : out) x = coarse ? static_cast<double>(random() % 7) : normal(random);
  return out;
}

// All sums of two, ascending.
std::vector<double> pair_sums(const std::vector<double>& values) {
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) out.push_back(values[i] + values[j]);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(HodgesLehmann,
     PublishedPairedExample) {  // Hollander and Wolfe, depression scale: -.46 (-.786, -.010)
  const std::vector<double> before{1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::vector<double> after{.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(after[i] - before[i]);
  const Interval got = hodges_lehmann(differences, 0.95).value();
  EXPECT_NEAR(got.estimate, -0.46, 1e-12);
  EXPECT_NEAR(got.low, -0.786, 1e-12);
  EXPECT_NEAR(got.high, -0.010, 1e-12);
}

TEST(PairSums, EveryOrderStatisticIsThatOfTheFullTable) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 60; ++trial) {
    const bool coarse = trial % 2 == 0;
    const std::vector<double> a = sorted(random_values(random, 1 + random() % 60, coarse));
    const std::vector<double> all = pair_sums(a);
    ASSERT_EQ(pair_sum_count(a.size()), static_cast<std::int64_t>(all.size()));
    for (std::size_t k = 0; k < all.size(); k += 1 + all.size() / 50)
      EXPECT_EQ(kth_pair_sum(a, static_cast<std::int64_t>(k)), all[k]);
  }
}

// Large enough to be narrowed many times; two values, a few and all distinct ones.
TEST(PairSums, LargeTablesWithAndWithoutTies) {
  std::mt19937 random(13);
  for (double steps : {1., 5., 1e6}) {
    std::vector<double> a;
    for (int i = 0; i < 500; ++i) a.push_back(std::floor(steps * static_cast<double>(random()) / 4294967295.0));
    a.front() = -3 * steps;
    std::sort(a.begin(), a.end());
    const std::vector<double> all = pair_sums(a);
    for (std::size_t k = 0; k < all.size(); k += 1499)
      EXPECT_EQ(kth_pair_sum(a, static_cast<std::int64_t>(k)), all[k]) << steps << " " << k;
    EXPECT_EQ(kth_pair_sum(a, static_cast<std::int64_t>(all.size()) - 1), all.back());
  }
}

TEST(HodgesLehmann, IsTheMedianOfAllAveragesOfTwo) {
  std::mt19937 random(2);
  const std::vector<double> differences = random_values(random, 70, false);
  const Interval got = hodges_lehmann(differences).value();
  EXPECT_DOUBLE_EQ(got.estimate, median(pair_sums(sorted(differences))).value() / 2);
  EXPECT_LT(got.low, got.estimate);
  EXPECT_GT(got.high, got.estimate);
}

TEST(HodgesLehmann, HardCases) {
  const Interval one = hodges_lehmann(std::vector<double>{4}).value();
  EXPECT_EQ(one.estimate, 4);
  EXPECT_EQ(one.low, 4);
  EXPECT_EQ(one.high, 4);
  const Interval ties = hodges_lehmann(std::vector<double>(9, 2e-9)).value();
  EXPECT_EQ(ties.estimate, 2e-9);
  EXPECT_EQ(ties.high, 2e-9);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(hodges_lehmann({}).error().code, Errc::invalid);
  EXPECT_EQ(hodges_lehmann(std::vector<double>{inf}).error().code, Errc::invalid);
}

TEST(HodgesLehmann, OppositeSignsMirrorTheInterval) {
  std::mt19937 random(8);
  std::vector<double> differences = random_values(random, 13, false);
  const Interval one = hodges_lehmann(differences).value();
  for (double& difference : differences) difference = -difference;
  const Interval other = hodges_lehmann(differences).value();
  EXPECT_EQ(one.estimate, -other.estimate);
  EXPECT_EQ(one.low, -other.high);
}

}  // namespace hodges_lehmann_test
}  // namespace kernelgate::stats
