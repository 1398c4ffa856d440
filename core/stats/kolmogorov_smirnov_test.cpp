// SPDX-License-Identifier: Apache-2.0
#include "core/stats/kolmogorov_smirnov.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/stats/distributions.hpp"

namespace kernelgate::stats {
namespace kolmogorov_smirnov_test {

TEST(KolmogorovSmirnov, ByHand) {
  const std::vector<double> low{1, 2, 3}, high{4, 5, 6};
  const KolmogorovSmirnov apart = kolmogorov_smirnov(low, high).value();
  EXPECT_EQ(apart.distance, 1);
  EXPECT_NEAR(apart.p, 2.0 / 20, 1e-12);  // two of the 20 orders separate them
  const KolmogorovSmirnov same = kolmogorov_smirnov(low, low).value();
  EXPECT_EQ(same.distance, 0);
  EXPECT_EQ(same.p, 1);
}

TEST(KolmogorovSmirnov, AllTies) {
  EXPECT_EQ(kolmogorov_smirnov(std::vector<double>(5, 2.0), std::vector<double>(7, 2.0)).value().p, 1);
}

TEST(KolmogorovSmirnov, LimitingDistributionAgreesWithTheTable) {
  EXPECT_NEAR(kolmogorov_upper_tail(1.3581), 0.05, 1e-4);
  EXPECT_NEAR(kolmogorov_upper_tail(1.6276), 0.01, 1e-4);
  EXPECT_NEAR(kolmogorov_upper_tail(0.8276), 0.5, 1e-4);
  EXPECT_EQ(kolmogorov_upper_tail(0), 1);
}

TEST(KolmogorovSmirnov, LargeSamplesTakeTheLimit) {
  std::vector<double> first, second;
  for (int i = 0; i < 1000; ++i) {
    first.push_back(i);
    second.push_back(i + 100.5);
  }
  const KolmogorovSmirnov got = kolmogorov_smirnov(first, second).value();
  EXPECT_FALSE(got.exact);
  EXPECT_NEAR(got.distance, 0.101, 1e-12);
  EXPECT_LT(got.p, 1e-4);
}

TEST(KolmogorovSmirnov, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(kolmogorov_smirnov({}, std::vector<double>{1}).error().code, Errc::invalid);
  EXPECT_EQ(kolmogorov_smirnov(std::vector<double>{1}, std::vector<double>{nan}).error().code, Errc::invalid);
}

}  // namespace kolmogorov_smirnov_test
}  // namespace kernelgate::stats
