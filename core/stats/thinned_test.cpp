// SPDX-License-Identifier: Apache-2.0
#include "core/stats/thinned.hpp"

#include <gtest/gtest.h>

#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace thinned_test {

TEST(ThinnedSamples, AreTheirQuantilesWithTheMedianAsItWas) {
  EXPECT_EQ(thinned((std::vector<double>{5, 1, 9, 3, 7, 2, 8, 4, 6})), (std::vector<double>{1, 3, 5, 7, 9}));
  const std::vector<double> ten{5, 1, 9, 3, 7, 2, 8, 4, 6, 10};
  EXPECT_EQ(thinned(ten), (std::vector<double>{1, 3.25, 5, 6, 7.75, 10}));
  EXPECT_EQ(median(thinned(ten)).value(), median(ten).value());
  EXPECT_EQ(thinned(std::vector<double>{3, 1, 2, 5, 4}), (std::vector<double>{3, 1, 2, 5, 4}));
  EXPECT_EQ(thinned(std::vector<double>{6, 5, 4, 3, 2, 1}), (std::vector<double>{6, 5, 4, 3, 2, 1}));
  EXPECT_TRUE(thinned({}).empty());
}

}  // namespace thinned_test
}  // namespace kernelgate::stats
