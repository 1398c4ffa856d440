// SPDX-License-Identifier: Apache-2.0
#include "core/stats/histogram.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace kernelgate::stats {
namespace histogram_test {

int sum(const std::vector<int>& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

TEST(Histogram, HoldsEveryValueWhateverOneSpikeDoes) {
  std::vector<double> base, head;
  for (int i = 0; i < 60; ++i) base.push_back(100 + i);
  for (int i = 0; i < 60; ++i) head.push_back(i == 7 ? 1e6 : 110 + i);
  const auto found = histogram_of(base, head);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base.size(), 40U);
  EXPECT_EQ(sum(found->base), 60);
  EXPECT_EQ(sum(found->head), 60);
  EXPECT_DOUBLE_EQ(found->low, 100);
  EXPECT_LT(found->high, 170);
  EXPECT_TRUE(found->has_above);
  EXPECT_GE(found->head.back(), 1);
}

TEST(Histogram, TimesFarApartStandOnALogarithmicAxis) {
  const auto found = histogram_of(std::vector{1.0, 1.0, 1.0}, std::vector{100.0, 100.0, 100.0}, 10);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_log);
  EXPECT_NEAR(found->place_of(10), 0.5, 1e-12);
  EXPECT_EQ(found->base.front(), 3);
  EXPECT_EQ(found->head.back(), 3);
  EXPECT_FALSE(found->has_above);
}

TEST(Histogram, EqualTimesShareTheFirstBin) {
  const auto found = histogram_of(std::vector{5.0, 5.0}, std::vector{5.0, 5.0}, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base, (std::vector{2, 0, 0, 0}));
  EXPECT_EQ(found->head, (std::vector{2, 0, 0, 0}));
}

TEST(Histogram, ThreeValuesMakeNoPicture) { EXPECT_FALSE(histogram_of(std::vector{1.0, 2.0}, std::vector{3.0})); }

}  // namespace histogram_test
}  // namespace kernelgate::stats
