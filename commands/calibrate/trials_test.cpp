// SPDX-License-Identifier: Apache-2.0
#include "commands/calibrate/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/test_evidence.hpp"

namespace kernelgate::local {
namespace trials_test {

using test::suite_of;
using test::wobble;

TEST(CountTrials, OneBeginsWhereTheLastStopped) {
  Policy policy;
  policy.max_pairs = 8;
  // Quiet pairs are unchanged after 4; a trial needs 8 that are left: at 0, 4, 8, 12 of 20.
  const auto quiet = count_trials(suite_of(wobble(0, .001, 20)), policy, {}, 0);
  ASSERT_EQ(quiet.size(), 1u);
  EXPECT_EQ(quiet[0].trials, 4);
  EXPECT_EQ(quiet[0].unchanged, 4);
  EXPECT_EQ(quiet[0].pairs, 20);
  // Loud ones use all 8: at 0 and 8.
  const auto loud = count_trials(suite_of(wobble(0, .1, 20)), policy, {}, 0);
  EXPECT_EQ(loud[0].trials, 2);
  EXPECT_EQ(loud[0].undecided, 2);
  const auto slower = count_trials(suite_of(wobble(.05, .001, 20)), policy, {}, .05);
  EXPECT_EQ(slower[0].regressed, slower[0].trials);
  EXPECT_EQ(slower[0].injected, .05);
  EXPECT_NEAR(slower[0].ratio, 1.05, 1e-9);
}

TEST(CountTrials, FewerPairsThanATrialStillGiveTheVariance) {
  const auto got = count_trials(suite_of(wobble(0, .01, 6)), Policy{}, {}, 0);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].trials, 0);
  EXPECT_EQ(got[0].degrees, 5);
  EXPECT_NEAR(got[0].sum_squares, 6e-4, 1e-12);
}

TEST(CountTrials, TheLimitIsThatOfALookAtTheLastPair) {
  Policy policy;
  policy.max_pairs = 16;
  const auto got = count_trials(suite_of(wobble(0, .01, 16)), policy, {}, 0);
  const double sd = std::sqrt(16e-4 / 15);
  EXPECT_NEAR(got[0].detectable, std::expm1(2.946712883 * sd / 4), 1e-9);  // t(.995; 15) of a printed table
  // Two pairs know the noise by one degree of freedom, whatever a run would take.
  const auto few = count_trials(suite_of(wobble(0, .01, 2)), policy, {}, 0);
  EXPECT_NEAR(few[0].detectable, std::expm1(63.656741162 * std::sqrt(2e-4) / 4), 1e-6);  // t(.995; 1)
}

TEST(CountTrials, StoredVariancesAreThoseThatARunWouldHave) {
  Policy policy;
  policy.max_pairs = 8;
  const std::vector<StoredVariance> stored{{"gemm", "b", 1e-6, 15}};
  const auto got = count_trials(suite_of(wobble(0, .001, 20)), policy, stored, 0);
  EXPECT_EQ(got[0].trials, 7) << "decided at 2 pairs: begun at 0, 2, … 12";
}

TEST(RateOf, IsClopperAndPearsons) {
  EXPECT_NEAR(rate_of(0, 10).high, 0.30849710781876, 1e-9);  // 1 - .025^(1/10)
  EXPECT_EQ(rate_of(0, 10).low, 0);
  EXPECT_NEAR(rate_of(10, 10).low, 1 - 0.30849710781876, 1e-9);
  EXPECT_EQ(rate_of(10, 10).high, 1);
  EXPECT_NEAR(rate_of(5, 10).low, 0.187086, 1e-6);  // binom.test(5, 10) of R
  EXPECT_NEAR(rate_of(5, 10).high, 0.812914, 1e-6);
  EXPECT_EQ(rate_of(0, 0).high, 1);
}

}  // namespace trials_test
}  // namespace kernelgate::local
