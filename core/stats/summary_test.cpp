// SPDX-License-Identifier: Apache-2.0
#include "core/stats/summary.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace kernelgate::stats {
namespace summary_test {

TEST(Quantile, IsTypeSevenOfR) {
  const std::vector<double> values{9, 1, 4, 7, 3};  // R: quantile(c(9,1,4,7,3), p)
  EXPECT_DOUBLE_EQ(quantile(values, 0.0).value(), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1).value(), 1.8);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25).value(), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9).value(), 8.2);
  EXPECT_DOUBLE_EQ(quantile(values, 1.0).value(), 9);
}

TEST(Median, OfOneTwoAndConstantValues) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{5}).value(), 5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{5, 8}).value(), 6.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{1e9, 1e9, 1e9}).value(), 1e9);
}

TEST(Summary, RefusesEmptyAndNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(median({}).error().code, Errc::invalid);
  EXPECT_EQ(median(std::vector<double>{1, nan}).error().code, Errc::invalid);
  EXPECT_EQ(moments(std::vector<double>{1, inf}).error().code, Errc::invalid);
  EXPECT_EQ(quantile(std::vector<double>{1, 2}, 1.5).error().code, Errc::invalid);
}

TEST(Moments, KeepTheirDigitsOnALargeOffset) {
  const Moments got = moments(std::vector<double>{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 6}).value();
  EXPECT_DOUBLE_EQ(got.mean, 1e9 + 3);
  EXPECT_DOUBLE_EQ(got.sum_squares, 14);
  EXPECT_DOUBLE_EQ(got.variance, 14.0 / 3);
  EXPECT_EQ(moments(std::vector<double>{4e-9}).value().variance, 0);
}

}  // namespace summary_test
}  // namespace kernelgate::stats
