// SPDX-License-Identifier: Apache-2.0
#include "core/stats/distributions.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kernelgate::stats {
namespace distributions_test {

TEST(Distributions, AgreeWithPrintedTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_upper_tail(1.959963984540054), 0.025, 1e-14);
  EXPECT_NEAR(t_quantile(0.999, 1), 318.308839, 1e-5);
  EXPECT_NEAR(t_quantile(0.999, 15), 3.732834, 1e-6);
  EXPECT_NEAR(t_quantile(0.995, 30), 2.749996, 1e-6);
  EXPECT_NEAR(t_upper_tail(2.749996, 30), 0.005, 1e-8);
  EXPECT_NEAR(f_quantile(0.99, 1, 15), 8.683117, 1e-6);
  EXPECT_NEAR(f_quantile(0.99, 3, 15), 5.416965, 1e-6);
}

TEST(Distributions, TailsOfInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(t_upper_tail(inf, 3), 0);
  EXPECT_EQ(t_upper_tail(-inf, 3), 1);
}

}  // namespace distributions_test
}  // namespace kernelgate::stats
