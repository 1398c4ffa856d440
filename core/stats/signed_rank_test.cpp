// SPDX-License-Identifier: Apache-2.0
#include "core/stats/signed_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kernelgate::stats {
namespace signed_rank_test {

// Every choice of signs, with midranks counted by hand.
double p_by_enumeration(const std::vector<double>& d) {
  const auto rank = [&](double x) {
    double below = 0, equal = 0;
    for (double y : d) {
      below += std::abs(y) < std::abs(x) ? 1 : 0;
      equal += std::abs(y) == std::abs(x) ? 1 : 0;
    }
    return below + (equal + 1) / 2;
  };
  double observed = 0, top = 0, far = 0;
  for (double x : d) {
    top += rank(x);
    observed += x > 0 ? rank(x) : 0;
  }
  const unsigned all = 1u << d.size();
  for (unsigned signs = 0; signs < all; ++signs) {
    double w = 0;
    for (std::size_t i = 0; i < d.size(); ++i) w += (signs >> i & 1u) != 0 ? rank(d[i]) : 0;
    far += std::abs(w - top / 2) >= std::abs(observed - top / 2) - 1e-9 ? 1 : 0;
  }
  return far / all;
}

TEST(SignedRank, ExactWithTiesIsTheEnumeration) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> d(1 + random() % 9);
    for (double& x : d) x = static_cast<double>(random() % 5 + 1) * (random() % 2 == 0 ? 1 : -1);
    EXPECT_NEAR(signed_rank(d).value().p, p_by_enumeration(d), 1e-12);
  }
}

TEST(SignedRank, PublishedExample) {  // Hollander and Wolfe, depression scale: V = 40, p = 0.03906
  const std::vector<double> d{.952, -.147, 1.022, .43, .62, .59, .49, -.08, .01};
  EXPECT_EQ(signed_rank(d).value().w, 40);
  EXPECT_NEAR(signed_rank(d).value().p, 0.0390625, 1e-12);
}

TEST(SignedRank, HardCases) {
  EXPECT_EQ(signed_rank(std::vector<double>{0, 0}).value().p, 1);
  EXPECT_EQ(signed_rank(std::vector<double>{0, 0}).value().count, 0);
  EXPECT_EQ(signed_rank(std::vector<double>{5}).value().p, 1);
  EXPECT_EQ(signed_rank({}).error().code, Errc::invalid);
  EXPECT_EQ(signed_rank(std::vector<double>{std::numeric_limits<double>::infinity()}).error().code, Errc::invalid);
}

}  // namespace signed_rank_test
}  // namespace kernelgate::stats
