// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/workloads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace kernelgate {
namespace workloads_test {

using testing::ElementsAre;
using testing::IsEmpty;

// `shift` and `half` are of the log ratio, `half` at 30 degrees of freedom.
Comparison timed(const std::string& benchmark, double base_ns, double shift, double half,
                 Verdict verdict = Verdict::unchanged) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = benchmark;
  out.verdict = verdict;
  out.pairs = 4;
  out.ratio = std::exp(shift);
  out.ratio_low = std::exp(shift - half);
  out.ratio_high = std::exp(shift + half);
  out.base_median_ns = base_ns;
  out.looks.push_back({.pairs = 4, .mean = shift, .se = half / 2.75, .degrees = 30});
  return out;
}

Comparison untimed(const std::string& benchmark, Verdict verdict) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = benchmark;
  out.verdict = verdict;
  return out;
}

Policy with(std::vector<WorkloadEntry> entries) {
  Policy out;
  out.workloads = {{.name = "decode", .entries = std::move(entries)}};
  return out;
}

TEST(Workloads, TheTotalTimeIsWeighted) {
  // 3 x 100 x 1.02 + 1 x 700 x 0.97 = 985 of 1000.
  const auto got = judge_workloads(
      {timed("gemm/M:1", 100, std::log(1.02), .001, Verdict::regressed),
       timed("gemm/M:64", 700, std::log(0.97), .002, Verdict::improved), timed("gemm/M:512", 9000, .5, .001)},
      with({{"M:1$", 3}, {"M:64$", 1}}));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].name, "decode");
  EXPECT_EQ(got[0].suite, "gemm");
  EXPECT_EQ(got[0].benchmarks, 2);
  EXPECT_EQ(got[0].timed, 2);
  EXPECT_NEAR(*got[0].ratio, .985, 1e-12);
  const double half = 306. / 985 * .001 + 679. / 985 * .002;
  EXPECT_NEAR(std::log(*got[0].high / *got[0].ratio), half, 1e-12);
  EXPECT_NEAR(std::log(*got[0].ratio / *got[0].low), half, 1e-12);
  EXPECT_EQ(got[0].verdict, Verdict::improved);
  EXPECT_THAT(got[0].gains, ElementsAre("gemm/M:64 -3.00 % (weight 70 %)"));
  EXPECT_THAT(got[0].losses, ElementsAre("gemm/M:1 +2.00 % (weight 30 %)"));
  EXPECT_EQ(workload_text(got[0]), "workload decode: -1.50 % [-1.67 %, -1.33 %], improved (2 benchmarks)");
}

TEST(Workloads, TheBandIsThePolicys) {
  struct Case {
    double shift, half;
    Verdict want;
  };
  const Case cases[] = {{.04, .005, Verdict::regressed},
                        {-.04, .005, Verdict::improved},
                        {.005, .01, Verdict::unchanged},
                        {.025, .02, Verdict::suspected},
                        {.005, .04, Verdict::undecided},
                        {.015, .0042, Verdict::unchanged}};  // the alarm's tail is wider than the interval shown
  for (const Case& c : cases) {
    const auto got =
        judge_workloads({timed("a", 5, c.shift, c.half), timed("b", 7, c.shift, c.half)}, with({{".", 1}}));
    EXPECT_EQ(got.at(0).verdict, c.want) << c.shift << " " << c.half;
  }
}

// Whatever the weights: the property that the sum of half widths was chosen for.
TEST(Workloads, OfUnchangedBenchmarksIsUnchanged) {
  const double edge = std::log(1.03);
  for (double weight : {.001, .3, 1., 40., 1e6}) {
    const auto got = judge_workloads({timed("a", 1e3, .01, edge - .0101), timed("b", 1e3, -.02, edge - .0201)},
                                     with({{"a", weight}, {"b", 1}}));
    EXPECT_EQ(got.at(0).verdict, Verdict::unchanged) << weight;
  }
}

TEST(Workloads, IsNotUnchangedWhereABenchmarkIsBlind) {
  Comparison blind = timed("a", 100, 0, .005, Verdict::undecided);
  blind.catch_limit = .03;
  EXPECT_EQ(judge_workloads({blind, timed("b", 100, 0, .005)}, with({{".", 1}})).at(0).verdict, Verdict::undecided);
  EXPECT_EQ(judge_workloads({blind, timed("b", 900, .1, .005)}, with({{".", 1}})).at(0).verdict, Verdict::regressed);
}

TEST(Workloads, TheLastEntryThatMatchesCounts) {
  const auto got = judge_workloads({timed("gemm/1", 100, 0, .001), timed("gemm/2", 100, .1, .001)},
                                   with({{"gemm", 1}, {"gemm/2", 3}}));
  EXPECT_NEAR(*got.at(0).ratio, (1 + 3 * std::exp(.1)) / 4, 1e-12);
}

TEST(Workloads, WithoutATimeThereIsNoVerdict) {
  const auto got = judge_workloads(
      {timed("a", 100, .1, .001, Verdict::regressed), untimed("b", Verdict::crashed), untimed("c", Verdict::added)},
      with({{".", 1}}));
  EXPECT_EQ(got.at(0).verdict, Verdict::undecided);
  EXPECT_EQ(got.at(0).benchmarks, 2);
  EXPECT_EQ(got.at(0).timed, 1);
  EXPECT_NEAR(*got.at(0).ratio, std::exp(.1), 1e-12);
  EXPECT_EQ(workload_text(got.at(0)),
            "workload decode: +10.52 % [+10.41 %, +10.63 %], undecided (1 of 2 benchmarks timed)");

  const auto none = judge_workloads({untimed("a", Verdict::identical)}, with({{".", 1}}));
  EXPECT_EQ(none.at(0).verdict, Verdict::identical);
  EXPECT_FALSE(none.at(0).ratio);

  Comparison odd = timed("a", 100, 0, .001);
  odd.ratio_high = std::numeric_limits<double>::infinity();
  EXPECT_EQ(judge_workloads({odd}, with({{".", 1}})).at(0).verdict, Verdict::undecided);
}

TEST(Workloads, ThatNameNothingHereAreLeftOut) {
  EXPECT_THAT(judge_workloads({timed("a", 100, 0, .001)}, with({{"^b", 1}})), IsEmpty());
  EXPECT_THAT(judge_workloads({timed("a", 100, 0, .001)}, Policy{}), IsEmpty());
}

TEST(Workloads, MaySpanSuites) {
  Comparison other = timed("attention", 100, 0, .001);
  other.suite = "attention";
  EXPECT_EQ(judge_workloads({timed("a", 100, 0, .001), other}, with({{".", 1}})).at(0).suite, "");
}

}  // namespace workloads_test
}  // namespace kernelgate
