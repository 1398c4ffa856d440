// SPDX-License-Identifier: Apache-2.0
#include "core/stats/false_discovery.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kernelgate::stats {
namespace false_discovery_test {

TEST(BenjaminiHochberg, ByHand) {  // R: p.adjust(c(.01, .04, .03, .005, .5), "BH")
  const std::vector<double> q = benjamini_hochberg(std::vector<double>{.01, .04, .03, .005, .5}).value();
  const std::vector<double> want{.025, .05, .05, .025, .5};
  ASSERT_EQ(q.size(), want.size());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], want[i], 1e-15);
}

TEST(BenjaminiHochberg, EmptyAndBad) {
  EXPECT_TRUE(benjamini_hochberg({}).value().empty());
  EXPECT_EQ(benjamini_hochberg(std::vector<double>{1.5}).error().code, Errc::invalid);
}

}  // namespace false_discovery_test
}  // namespace kernelgate::stats
