// SPDX-License-Identifier: Apache-2.0
#include "core/stats/mann_whitney.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/stats/rank_counts.hpp"

namespace kernelgate::stats {
namespace mann_whitney_test {

double u_by_counting(const std::vector<double>& first, const std::vector<double>& second) {
  double u = 0;
  for (double a : first)
    for (double b : second) u += b > a ? 1 : b == a ? 0.5 : 0;
  return u;
}

// The permutation test by trying every choice.
double p_by_enumeration(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> pooled(first);
  pooled.insert(pooled.end(), second.begin(), second.end());
  const double centre = 0.5 * static_cast<double>(first.size() * second.size());
  const double distance = std::abs(u_by_counting(first, second) - centre) - 1e-9;
  std::vector<int> chosen(pooled.size(), 0);
  std::fill(chosen.end() - static_cast<std::ptrdiff_t>(second.size()), chosen.end(), 1);
  double far = 0, all = 0;
  do {
    std::vector<double> a, b;
    for (std::size_t i = 0; i < pooled.size(); ++i) (chosen[i] != 0 ? b : a).push_back(pooled[i]);
    far += std::abs(u_by_counting(a, b) - centre) >= distance ? 1 : 0;
    all += 1;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return far / all;
}

TEST(MannWhitney,
     PublishedExample) {  // SciPy's manual: ages of men and women, U = 17 of 20, p = 1/9
  const MannWhitney got =
      mann_whitney(std::vector<double>{20, 11, 17, 12}, std::vector<double>{19, 22, 16, 29, 24}).value();
  EXPECT_EQ(got.u, 17);
  EXPECT_NEAR(got.p, 1.0 / 9, 1e-12);
  EXPECT_TRUE(got.exact);
}

TEST(MannWhitney, FourAgainstFourSeparated) {
  const MannWhitney got = mann_whitney(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8}).value();
  EXPECT_EQ(got.u, 16);
  EXPECT_NEAR(got.p, 2.0 / 70, 1e-14);
}

TEST(MannWhitney, ExactWithTiesIsThePermutationTest) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> first(1 + random() % 5), second(1 + random() % 6);
    const unsigned values = 1 + random() % 6;
    for (double& x : first) x = static_cast<double>(random() % values);
    for (double& x : second) x = static_cast<double>(random() % values);
    const MannWhitney got = mann_whitney(first, second).value();
    EXPECT_DOUBLE_EQ(got.u, u_by_counting(first, second));
    EXPECT_NEAR(got.p, p_by_enumeration(first, second), 1e-10);
  }
}

TEST(MannWhitney, HardCases) {
  EXPECT_EQ(mann_whitney(std::vector<double>{3, 3, 3}, std::vector<double>{3, 3}).value().p, 1);
  EXPECT_EQ(mann_whitney(std::vector<double>{1}, std::vector<double>{2}).value().p, 1);
  EXPECT_EQ(mann_whitney({}, std::vector<double>{2}).error().code, Errc::invalid);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(mann_whitney(std::vector<double>{1}, std::vector<double>{nan}).error().code, Errc::invalid);
}

TEST(MannWhitney, ScaleChangesNothing) {
  const std::vector<double> first{1.5, 2.25, 2.25, 4}, second{2.25, 3, 5, 7, 8};
  const MannWhitney plain = mann_whitney(first, second).value();
  for (double scale : {0x1p-30, 0x1p30}) {
    std::vector<double> a(first), b(second);
    for (double& x : a) x *= scale;
    for (double& x : b) x *= scale;
    EXPECT_EQ(mann_whitney(a, b).value().p, plain.p);
  }
}

// P(|U - mn/2| >= |u - mn/2|) from the exact distribution of the tied midranks, whatever the size.
double p_by_choice_sums(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> pooled(first);
  pooled.insert(pooled.end(), second.begin(), second.end());
  std::sort(pooled.begin(), pooled.end());
  std::vector<std::int64_t> doubled;
  for (double x : pooled) {
    const auto [low, high] = std::equal_range(pooled.begin(), pooled.end(), x);
    doubled.push_back((low - pooled.begin()) + (high - pooled.begin()) + 1);
  }
  const double n = static_cast<double>(second.size());
  const double observed = 2 * u_by_counting(first, second) + n * (n + 1);
  const std::vector<double> distribution = choice_sum_distribution(doubled, static_cast<int>(second.size()));
  const double centre = n * static_cast<double>(pooled.size() + 1);
  double p = 0;
  for (std::size_t s = 0; s < distribution.size(); ++s)
    if (std::abs(static_cast<double>(s) - centre) >= std::abs(observed - centre) - 1e-6) p += distribution[s];
  return p;
}

// The size at which the exact distribution ends: from there on the approximation is good to 1e-3.
TEST(MannWhitney, ApproximationIsGoodToOneInAThousandWhereItTakesOver) {
  std::mt19937 random(21);
  for (const auto& [m, n] : {std::pair<int, int>{51, 51}, {25, 176}, {5, 996}}) {
    for (int trial = 0; trial < 12; ++trial) {
      std::vector<double> first, second;
      for (int i = 0; i < m; ++i) first.push_back(i * 2.0 + trial * (m + n) / 30.0 + 0.5);
      for (int i = 0; i < n; ++i) second.push_back(i * 2.0 * m / n);
      const MannWhitney got = mann_whitney(first, second).value();
      EXPECT_FALSE(got.exact);
      const std::vector<double> exact = mann_whitney_distribution(m, n);
      const double centre = 0.5 * m * n;
      double p = 0;
      for (std::size_t u = 0; u < exact.size(); ++u)
        if (std::abs(static_cast<double>(u) - centre) >= std::abs(got.u - centre)) p += exact[u];
      EXPECT_NEAR(got.p, p, 1e-3) << m << " " << n << " " << got.u;
    }
  }
}

TEST(MannWhitney, ApproximationUnderTiesIsAsGoodAsItsHeaderSays) {
  std::mt19937 random(22);
  for (const auto& [values, limit] : {std::pair<unsigned, double>{3, 0.05}, {12, 1e-3}}) {
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<double> first(51), second(51);
      for (double& x : first) x = static_cast<double>(random() % values);
      for (double& x : second) x = static_cast<double>(random() % values + (random() % 8 == 0 ? 1 : 0));
      EXPECT_NEAR(mann_whitney(first, second).value().p, p_by_choice_sums(first, second), limit) << values;
    }
  }
}

TEST(MannWhitney, LargeSamplesTakeTheApproximation) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  std::vector<double> first(3000), second(3000);
  for (double& x : first) x = normal(random);
  for (double& x : second) x = normal(random) + 0.2;
  const MannWhitney got = mann_whitney(first, second).value();
  EXPECT_FALSE(got.exact);
  EXPECT_DOUBLE_EQ(got.u, u_by_counting(first, second));
  EXPECT_LT(got.p, 1e-9);
}

}  // namespace mann_whitney_test
}  // namespace kernelgate::stats
