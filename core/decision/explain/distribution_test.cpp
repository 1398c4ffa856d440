// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace distribution_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// Eight pairs of 41 repetitions; `slow` is the chance of a repetition 10 % slower.
SuiteEvidence suite_with_tails(double base_slow, double head_slow) {
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  SuiteEvidence suite = test::suite_named("gemm", {"b"});
  for (int pair = 0; pair < 8; ++pair)
    for (Side side : {Side::base, Side::head}) {
      Series series;
      series.benchmark = "b";
      for (int i = 0; i < 41; ++i) {
        const bool slow = uniform(random) < (side == Side::base ? base_slow : head_slow);
        series.samples_ns.push_back(1000 * std::exp(.001 * normal(random)) * (slow ? 1.1 : 1));
      }
      suite.processes.push_back(test::process_of(side, pair, {series}));
    }
  return suite;
}

RunDecision decided(const SuiteEvidence& suite) {
  RunEvidence run;
  run.suites.push_back(suite);
  return decide_run(run, Policy{}, {});
}

TEST(DistributionChange, GrownTailIsAWarningAndNoFailure) {
  const RunDecision got = decided(suite_with_tails(.02, .3));
  EXPECT_EQ(got.conclusion, Conclusion::passed);
  EXPECT_EQ(got.comparisons[0].verdict, Verdict::unchanged);
  ASSERT_TRUE(got.comparisons[0].distribution.has_value());
  const DistributionChange& change = *got.comparisons[0].distribution;
  EXPECT_GT(change.head_share, change.base_share + .1);
  EXPECT_EQ(change.base_counts.size(), change.head_counts.size());
  EXPECT_THAT(got.notices, Contains(HasSubstr("30 % of head samples are")));
}

TEST(DistributionChange, EqualTailsSayNothing) {
  const RunDecision got = decided(suite_with_tails(.1, .1));
  EXPECT_FALSE(got.comparisons[0].distribution.has_value());
  EXPECT_THAT(got.notices, IsEmpty());
}

TEST(DistributionChange, PlainRegressionHidesNothing) {
  const RunDecision got = decided(test::suite_of(test::wobble(.2, .001, 8)));
  EXPECT_FALSE(got.comparisons[0].distribution.has_value());
}

}  // namespace distribution_test
}  // namespace kernelgate
