// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/session_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace kernelgate {
namespace session_ratio_test {

TEST(SessionRatio, IsWelchOnLogTimes) {
  // R: t.test(c(.02, .05, .03), c(0, .01, -.01, .02), conf.level = .99)
  const SessionRatio found = session_ratio(std::vector<double>{0, .01, -.01, .02}, std::vector<double>{.02, .05, .03});
  EXPECT_NEAR(std::log(found.ratio), .02833333, 1e-8);
  ASSERT_TRUE(found.low && found.high);
  EXPECT_NEAR(std::log(*found.high / *found.low) / 2, .05067328, 1e-7);
}

TEST(SessionRatio, OneSessionGivesNoInterval) {
  const SessionRatio found = session_ratio(std::vector<double>{0}, std::vector<double>{.1, .2});
  EXPECT_NEAR(std::log(found.ratio), .15, 1e-12);
  EXPECT_FALSE(found.low || found.high);
}

TEST(SessionRatio, SessionsWithoutSpreadAreAPoint) {
  const SessionRatio found = session_ratio(std::vector<double>{0, 0}, std::vector<double>{.1, .1});
  EXPECT_DOUBLE_EQ(*found.low, found.ratio);
}

// The interval holds the truth about as often as it says, also where sides differ in number and spread.
TEST(SessionRatio, CoversTheTruth) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<double> a, b;
    for (int k = 0; k < 4; ++k) a.push_back(.01 * normal(random));
    for (int k = 0; k < 9; ++k) b.push_back(.03 + .004 * normal(random));
    const SessionRatio found = session_ratio(a, b);
    covered += *found.low < std::exp(.03) && std::exp(.03) < *found.high;
  }
  EXPECT_GT(covered, kTrials * .98);
}

}  // namespace session_ratio_test
}  // namespace kernelgate
