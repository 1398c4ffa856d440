// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/compare_runs.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace compare_runs_test {

std::vector<Comparison> timed(double ratio, double head_ns) {
  Comparison one;
  one.suite = "s";
  one.benchmark = "b";
  one.verdict = Verdict::regressed;
  one.ratio = ratio;
  one.ratio_low = ratio * 0.99;
  one.ratio_high = ratio * 1.01;
  one.base_median_ns = head_ns / ratio;
  one.head_median_ns = head_ns;
  one.tolerate = 0.01;
  one.catch_limit = 0.03;
  return {one};
}

struct TwoRuns {
  std::vector<Comparison> base_rows, head_rows;
  ComparedRun base, head;
  CrossComparison only() {
    base.comparisons = base_rows;
    head.comparisons = head_rows;
    const auto rows = compare_runs(base, head);
    EXPECT_EQ(rows.size(), 1U);
    return rows.front();
  }
};

ComparedRun run(const char* commit, const char* base, int epoch = 1, const char* testbed = "here") {
  return {.commit = commit, .base_commit = base, .testbed = testbed, .epoch = epoch, .comparisons = {}};
}

TEST(CompareRuns, ARunThatTimedBothIsTakenAsItStands) {
  const CrossComparison row = TwoRuns{timed(1.5, 999), timed(1.1, 110), run("a", "x"), run("b", "a")}.only();
  EXPECT_EQ(row.pairing, Pairing::paired);
  EXPECT_EQ(row.ratio, 1.1);
  EXPECT_EQ(row.verdict, Verdict::regressed);
  EXPECT_NEAR(*row.base_median_ns, 100, 1e-9);
}

TEST(CompareRuns, TheOtherWayRoundHasTheInverseAndNoVerdict) {
  const CrossComparison row = TwoRuns{timed(1.25, 125), timed(1.5, 100), run("b", "a"), run("a", "x")}.only();
  EXPECT_EQ(row.pairing, Pairing::paired);
  EXPECT_EQ(row.ratio, 0.8);
  EXPECT_FALSE(row.verdict);
  EXPECT_LT(*row.ratio_low, 0.8);
  EXPECT_GT(*row.ratio_high, 0.8);
  EXPECT_EQ(row.base_median_ns, 125);
}

TEST(CompareRuns, ACommonBaseGivesAnIntervalWiderThanEither) {
  const CrossComparison row = TwoRuns{timed(1.0, 100), timed(1.2, 119), run("a", "x"), run("b", "x")}.only();
  EXPECT_EQ(row.pairing, Pairing::common_base);
  EXPECT_EQ(row.ratio, 1.2);
  EXPECT_GT(*row.ratio_high / *row.ratio, 1.012);
  EXPECT_FALSE(row.verdict);
}

TEST(CompareRuns, RunsOfTheirOwnOrOfTwoEpochsOrTestbedsAreNotPaired) {
  for (const auto& [base, head] :
       {std::pair(run("a", "x"), run("b", "y")), std::pair(run("a", "x"), run("b", "x", 2)),
        std::pair(run("a", "x"), run("b", "a", 2, "there")), std::pair(run("a", "b"), run("b", "x", 2, "there"))}) {
    const CrossComparison row = TwoRuns{timed(1.0, 100), timed(1.2, 130), base, head}.only();
    EXPECT_EQ(row.pairing, Pairing::not_paired);
    EXPECT_EQ(row.ratio, 1.3);
    EXPECT_FALSE(row.ratio_low);
    EXPECT_FALSE(row.verdict);
  }
}

TEST(CompareRuns, ABenchmarkOfOneRunAloneHasNoRatio) {
  TwoRuns runs{{}, timed(1.2, 130), run("a", "x"), run("b", "x")};
  const CrossComparison row = runs.only();
  EXPECT_FALSE(row.ratio);
  EXPECT_FALSE(row.base_median_ns);
  EXPECT_EQ(row.head_median_ns, 130);
}

}  // namespace compare_runs_test
}  // namespace kernelgate
