// SPDX-License-Identifier: Apache-2.0
#include "core/stats/cliffs_delta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/stats/distributions.hpp"

namespace kernelgate::stats {
namespace cliffs_delta_test {

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Cliff's formulas, cell by cell.
Interval by_cells(const std::vector<double>& first, const std::vector<double>& second, double confidence) {
  const double m = static_cast<double>(first.size()), n = static_cast<double>(second.size());
  double d = 0;
  for (double a : first)
    for (double b : second) d += sign(b - a);
  d /= m * n;
  double rows = 0, columns = 0, cells = 0;
  for (double a : first) {
    double mean = 0;
    for (double b : second) mean += sign(b - a) / n, cells += (sign(b - a) - d) * (sign(b - a) - d);
    rows += (mean - d) * (mean - d);
  }
  for (double b : second) {
    double mean = 0;
    for (double a : first) mean += sign(b - a) / m;
    columns += (mean - d) * (mean - d);
  }
  double variance = (n * n * rows + m * m * columns - cells) / (m * n * (m - 1) * (n - 1));
  variance = std::max(variance, (1 - d * d) / (m * n - 1));
  const double z = t_quantile(0.5 + confidence / 2, m + n - 2);
  const double spread = z * std::sqrt(variance) * std::sqrt((1 - d * d) * (1 - d * d) + z * z * variance);
  const double scale = 1 - d * d + z * z * variance;
  return {d, std::max(-1.0, (d - d * d * d - spread) / scale), std::min(1.0, (d - d * d * d + spread) / scale)};
}

TEST(CliffsDelta, CountsByHand) {
  EXPECT_EQ(cliffs_delta(std::vector<double>{1, 2}, std::vector<double>{3, 4}).value().estimate, 1);
  EXPECT_EQ(cliffs_delta(std::vector<double>{3, 4}, std::vector<double>{1, 2}).value().estimate, -1);
  EXPECT_EQ(cliffs_delta(std::vector<double>{1, 2, 3}, std::vector<double>{2}).value().estimate, 0);
  EXPECT_DOUBLE_EQ(cliffs_delta(std::vector<double>{1, 2, 2}, std::vector<double>{2, 3}).value().estimate, 4.0 / 6);
  EXPECT_EQ(cliffs_delta(std::vector<double>{7, 7}, std::vector<double>{7, 7, 7}).value().estimate, 0);
}

TEST(CliffsDelta, AgreesWithTheFormulaCellByCell) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> first(2 + random() % 12), second(2 + random() % 12);
    for (double& x : first) x = static_cast<double>(random() % 20);
    for (double& x : second) x = static_cast<double>(random() % 20);
    const Interval got = cliffs_delta(first, second, 0.95).value(), want = by_cells(first, second, 0.95);
    EXPECT_NEAR(got.estimate, want.estimate, 1e-12);
    if (std::abs(want.estimate) == 1) continue;
    EXPECT_NEAR(got.low, want.low, 1e-9);
    EXPECT_NEAR(got.high, want.high, 1e-9);
  }
}

TEST(CliffsDelta, SwappingSidesMirrorsTheInterval) {
  const std::vector<double> a{1, 4, 6, 7}, b{3, 5, 8, 9, 10};
  const Interval one = cliffs_delta(a, b).value(), other = cliffs_delta(b, a).value();
  EXPECT_DOUBLE_EQ(one.estimate, -other.estimate);
  EXPECT_NEAR(one.low, -other.high, 1e-15);
}

TEST(CliffsDelta, LimitsOfSeparatedAndSingleValues) {
  const Interval apart = cliffs_delta(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8}).value();
  EXPECT_EQ(apart.high, 1);
  EXPECT_LT(apart.low, 1);
  const Interval single = cliffs_delta(std::vector<double>{1}, std::vector<double>{5, 6}).value();
  EXPECT_EQ(single.low, -1);
  EXPECT_EQ(single.high, 1);
}

TEST(CliffsDelta, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(cliffs_delta({}, std::vector<double>{1}).error().code, Errc::invalid);
  EXPECT_EQ(cliffs_delta(std::vector<double>{nan}, std::vector<double>{1}).error().code, Errc::invalid);
  EXPECT_EQ(cliffs_delta(std::vector<double>{1}, std::vector<double>{1}, 1.0).error().code, Errc::invalid);
}

}  // namespace cliffs_delta_test
}  // namespace kernelgate::stats
