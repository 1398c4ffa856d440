// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace next_test {

using test::add_pairs;
using test::suite_named;
using test::suite_of;
using test::wobble;
using Names = std::vector<std::string>;

// A disturbance with any period must meet either order as often, and no pair's order may tell the next one's.
TEST(FirstSide, IsDrawnForEachPair) {
  int heads = 0, turns = 0, again = 0;
  for (int pair = 0; pair < 400; ++pair) {
    const Side side = first_side(7, "gemm", 0, pair);
    EXPECT_EQ(first_side(7, "gemm", 0, pair), side);  // same seed, same side
    heads += side == Side::head ? 1 : 0;
    turns += side != first_side(7, "gemm", 0, pair + 1) ? 1 : 0;
    again += side != first_side(7, "gemm", 0, pair + 2) ? 1 : 0;
  }
  for (int count : {heads, turns, again}) {
    EXPECT_GT(count, 150);
    EXPECT_LT(count, 250);
  }
}

TEST(FirstSide, IsDrawnAnewForEverySuiteAndRound) {
  int by_suite = 0, by_round = 0, heads = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    by_suite += first_side(seed, "gemm", 0, 0) != first_side(seed, "attention", 0, 0) ? 1 : 0;
    by_round += first_side(seed, "gemm", 0, 0) != first_side(seed, "gemm", 1, 0) ? 1 : 0;
    heads += first_side(seed, "gemm", 0, 0) == Side::head ? 1 : 0;
  }
  for (int count : {by_suite, by_round, heads}) {
    EXPECT_GT(count, 150);
    EXPECT_LT(count, 250);
  }
}

TEST(NextMeasurement, StartsWithEveryBenchmarkOfBothSides) {
  SuiteEvidence suite = suite_named("gemm", {"a", "b"});
  suite.head_benchmarks.push_back("new");
  suite.base_benchmarks.push_back("old");
  const NextMeasurement got = next_measurement(suite, Policy{}, {});
  EXPECT_FALSE(got.done);
  EXPECT_EQ(got.round, 0);
  EXPECT_EQ(got.pair, 0);
  EXPECT_EQ(got.benchmarks, (Names{"a", "b"}));
}

TEST(NextMeasurement, DecidedBenchmarksDropOut) {
  SuiteEvidence suite = suite_named("gemm", {"quiet", "noisy"});
  add_pairs(suite, "quiet", wobble(0, .001, 4));
  add_pairs(suite, "noisy", wobble(0, .03, 4));
  const NextMeasurement got = next_measurement(suite, Policy{}, {});
  EXPECT_EQ(got.pair, 4);
  EXPECT_EQ(got.benchmarks, Names{"noisy"});
}

TEST(NextMeasurement, StoredVarianceDecidesAtTwoPairs) {
  const SuiteEvidence suite = suite_of(wobble(0, .001, 2));
  EXPECT_FALSE(next_measurement(suite, Policy{}, {}).done);
  const std::vector<StoredVariance> stored{{"gemm", "b", 1e-6, 15}};
  EXPECT_TRUE(next_measurement(suite, Policy{}, stored).done);
  const std::vector<StoredVariance> other{{"attention", "b", 1e-6, 15}};
  EXPECT_FALSE(next_measurement(suite, Policy{}, other).done);
  const std::vector<StoredVariance> thin{{"gemm", "b", 1e-6, 14}};
  EXPECT_FALSE(next_measurement(suite, Policy{}, thin).done);
}

TEST(NextMeasurement, SuspectedIsMeasuredOnceMoreAndOnlyOnce) {
  SuiteEvidence suite = suite_of(wobble(.025, .02, 16));
  NextMeasurement got = next_measurement(suite, Policy{}, {});
  EXPECT_FALSE(got.done);
  EXPECT_EQ(got.round, 1);
  EXPECT_EQ(got.pair, 0);
  add_pairs(suite, "b", wobble(.025, .02, 6), 1);
  got = next_measurement(suite, Policy{}, {});
  EXPECT_EQ(got.round, 1);
  EXPECT_EQ(got.pair, 6);
  SuiteEvidence twice = suite_of(wobble(.025, .02, 16));
  add_pairs(twice, "b", wobble(.025, .02, 16), 1);
  EXPECT_TRUE(next_measurement(twice, Policy{}, {}).done);
}

TEST(NextMeasurement, RerunWaitsForTheFirstRoundToEnd) {
  SuiteEvidence suite = suite_named("gemm", {"suspected", "open"});
  add_pairs(suite, "suspected", wobble(.025, .02, 16));
  add_pairs(suite, "open", wobble(0, .03, 10));
  NextMeasurement got = next_measurement(suite, Policy{}, {});
  EXPECT_EQ(got.round, 0);
  EXPECT_EQ(got.benchmarks, Names{"open"});
}

TEST(NextMeasurement, StopsAtTheBudget) {
  const SuiteEvidence suite = suite_of(wobble(0, .03, 5));  // 10 processes of 0.5 s
  Policy policy;
  policy.gpu_seconds = 5.5;
  EXPECT_FALSE(next_measurement(suite, policy, {}).done);
  policy.gpu_seconds = 5;
  EXPECT_TRUE(next_measurement(suite, policy, {}).done);
}

TEST(NextMeasurement, StopsAtMaxPairs) {
  Policy policy;
  policy.max_pairs = 6;
  EXPECT_FALSE(next_measurement(suite_of(wobble(0, .03, 5)), policy, {}).done);
  EXPECT_TRUE(next_measurement(suite_of(wobble(0, .03, 6)), policy, {}).done);
}

TEST(NextMeasurement, EndsWhereProcessesGiveNothing) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  int asked = 0;
  for (NextMeasurement got = next_measurement(suite, Policy{}, {}); !got.done && asked < 100; ++asked) {
    Process process = test::process_of(Side::base, got.pair, {}, got.round);
    process.end = ProcessEnd::garbage;
    suite.processes.push_back(process);
    got = next_measurement(suite, Policy{}, {});
  }
  EXPECT_EQ(asked, 24);
}

TEST(NextMeasurement, NothingIsTimedWhereNothingMayBe) {
  SuiteEvidence broken = suite_named("gemm", {"b"});
  broken.checks_passed = false;
  EXPECT_TRUE(next_measurement(broken, Policy{}, {}).done);
  SuiteEvidence identical = suite_named("gemm", {"b"});
  identical.identical = true;
  EXPECT_TRUE(next_measurement(identical, Policy{}, {}).done);
  SuiteEvidence first = suite_named("gemm", {"b"});
  first.has_base = false;
  EXPECT_TRUE(next_measurement(first, Policy{}, {}).done);
  SuiteEvidence crashed = suite_named("gemm", {"b"});
  crashed.failures.push_back({.benchmark = "b", .text = "signal 11", .fingerprint = {}});
  EXPECT_TRUE(next_measurement(crashed, Policy{}, {}).done);
}

TEST(NextMeasurement, MwuCliffTakesAllPairsAndNoRerun) {
  Policy policy;
  policy.rule = Rule::mwu_cliff;
  policy.max_pairs = 8;
  EXPECT_EQ(next_measurement(suite_of(wobble(0, .0001, 7)), policy, {}).pair, 7);
  EXPECT_TRUE(next_measurement(suite_of(wobble(.04, .08, 8)), policy, {}).done);
}

}  // namespace next_test
}  // namespace kernelgate
