// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace suite_test {

using test::add_pairs;
using test::suite_named;
using test::suite_of;
using test::wobble;
using testing::HasSubstr;

Comparison judged(const SuiteEvidence& suite, const Policy& policy = {}) {
  const std::vector<Comparison> got = decide_suite(suite, policy, {});
  EXPECT_EQ(got.size(), 1u);
  return got.empty() ? Comparison{} : got[0];
}

TEST(DecideSuite, FiguresAreThoseOfTheStop) {
  const Comparison got = judged(suite_of(wobble(.4, .01, 10)));  // would stop at pair 4; 10 are there
  EXPECT_EQ(got.verdict, Verdict::regressed);
  EXPECT_EQ(got.pairs, 4);
  EXPECT_NEAR(*got.ratio, 1.4, 1e-9);
  EXPECT_LT(*got.ratio_low, 1.4);
  EXPECT_GT(*got.ratio_high, 1.4);
  EXPECT_EQ(*got.cliffs_delta, 1);
  EXPECT_NEAR(*got.mwu_p, 2.0 / 70, 1e-12);
  EXPECT_FALSE(got.hl_ratio.has_value());  // from 6 pairs on
  EXPECT_NEAR(got.sum_squares, 4e-4, 1e-12);
  EXPECT_EQ(got.degrees, 3);
  EXPECT_NEAR(*got.pair_sd, std::sqrt(4e-4 / 3), 1e-12);
  EXPECT_NEAR(*got.base_median_ns, 1000, 1e-9);
  EXPECT_EQ(got.looks.size(), 1u);
  EXPECT_TRUE(got.q_value.has_value());
  EXPECT_THAT(got.reason, HasSubstr("after 4 of 10 pairs"));
}

TEST(DecideSuite, OverridesThatLeaveNoBandDecideNothing) {
  Policy policy;
  policy.overrides = {{.match = "b", .tolerate = .02, .catch_limit = {}, .small = {}, .missing = {}},
                      {.match = "b", .tolerate = {}, .catch_limit = .015, .small = {}, .missing = {}}};
  const SuiteEvidence suite = suite_of(wobble(.4, .01, 4));
  const Comparison got = judged(suite, policy);
  EXPECT_EQ(got.verdict, Verdict::undecided);
  EXPECT_THAT(got.reason, HasSubstr("leave no band: tolerate is 0.02, catch is 0.015"));
  EXPECT_TRUE(next_measurement(suite, policy, {}).done);
  policy.overrides[0].match = "other";
  EXPECT_EQ(judged(suite, policy).verdict, Verdict::regressed);
}

TEST(DecideSuite, HodgesLehmannFromSixPairsOn) {
  const Comparison got = judged(suite_of(wobble(0, .012, 6)));
  EXPECT_TRUE(got.hl_ratio && got.hl_low && got.hl_high);
  EXPECT_LE(*got.hl_low, *got.hl_ratio);
}

TEST(DecideSuite, RankFiguresNeedFourASide) {
  SuiteEvidence suite = suite_of(wobble(.2, .01, 3));
  suite.recorded = true;
  const Comparison got = judged(suite);
  EXPECT_FALSE(got.cliffs_delta.has_value());
  EXPECT_FALSE(got.mwu_p.has_value());
}

TEST(DecideSuite, OneProcessASideIsUndecidedWithDeltaAndU) {
  SuiteEvidence suite = suite_of({std::log(1.5)});
  suite.recorded = true;
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::undecided);
  EXPECT_THAT(got.reason, HasSubstr("one process a side"));
  EXPECT_EQ(*got.cliffs_delta, 1);
  EXPECT_NEAR(*got.mwu_p, 0.1, 1e-12);  // 3 repetitions against 3
}

TEST(DecideSuite, NoisySaysWhatItCannotDetect) {
  const Comparison got = judged(suite_of(wobble(0, .04, 16)));
  EXPECT_EQ(got.verdict, Verdict::undecided);
  EXPECT_THAT(got.reason, HasSubstr("3 % is not detectable here"));
  EXPECT_GT(*got.minimum_detectable, .03);
}

TEST(DecideSuite, UnchangedAlwaysMeansWithinCatch) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> d(16);
    const double spread = .002 + .02 * std::abs(normal(random));
    for (double& x : d) x = spread * normal(random);
    const Comparison got = judged(suite_of(d));
    if (got.verdict != Verdict::unchanged) continue;
    EXPECT_LT(*got.minimum_detectable, .03);
    EXPECT_LT(*got.ratio_high, 1.03);
  }
}

TEST(DecideSuite, RecordedSeriesLookAtTheLastEvenPair) {
  SuiteEvidence suite = suite_of(wobble(.025, .009, 11));
  suite.recorded = true;
  const Comparison got = judged(suite);
  EXPECT_EQ(got.pairs, 10);
  ASSERT_FALSE(got.looks.empty());
  EXPECT_EQ(got.looks.back().pairs, 10);
}

TEST(DecideSuite, RerunSpeaksAloneOnceItIsComplete) {
  SuiteEvidence suite = suite_of(wobble(.025, .02, 16));
  EXPECT_EQ(judged(suite).verdict, Verdict::suspected);
  SuiteEvidence cleared = suite;
  add_pairs(cleared, "b", wobble(0, .001, 4), 1);
  EXPECT_EQ(judged(cleared).verdict, Verdict::unchanged);
  EXPECT_EQ(judged(cleared).round, 1);
  EXPECT_NEAR(*judged(cleared).ratio, 1, 1e-9);
  SuiteEvidence confirmed = suite;
  add_pairs(confirmed, "b", wobble(.05, .001, 4), 1);
  EXPECT_EQ(judged(confirmed).verdict, Verdict::regressed);
  SuiteEvidence cut_short = suite;
  add_pairs(cut_short, "b", wobble(.05, .02, 3), 1);
  EXPECT_EQ(judged(cut_short).verdict, Verdict::suspected);
  SuiteEvidence twice = suite;
  add_pairs(twice, "b", wobble(.025, .02, 16), 1);
  EXPECT_EQ(judged(twice).verdict, Verdict::undecided);
  EXPECT_THAT(judged(twice).reason, HasSubstr("suspected twice"));
}

struct RuleCase {
  const char* name;
  std::vector<double> d;
  Verdict want;
};

TEST(DecideSuite, NothingIsUnchangedWhereItsOwnPairsCannotTell) {
  Policy policy;
  policy.rule = Rule::mwu_cliff;
  policy.max_pairs = 8;
  EXPECT_EQ(judged(suite_of(wobble(0, .001, 8)), policy).verdict, Verdict::unchanged);
  const Comparison noisy = judged(suite_of(wobble(0, .08, 8)), policy);
  EXPECT_EQ(noisy.verdict, Verdict::undecided);
  EXPECT_THAT(noisy.reason, testing::StartsWith("3 % is not detectable here: "));
  policy.catch_limit = .5;
  EXPECT_EQ(judged(suite_of(wobble(0, .08, 8)), policy).verdict, Verdict::unchanged);
}

TEST(DecideSuite, NothingIsUnchangedWhereCalibrationCouldNotTell) {
  const auto with = [](double shift, const StoredVariance& stored) {
    return decide_suite(suite_of(wobble(shift, .001, 4)), {}, std::vector{stored}).at(0);
  };
  EXPECT_EQ(with(0, {"gemm", "b", 0, 0, .02}).verdict, Verdict::unchanged);
  EXPECT_EQ(with(0, {"attention", "b", 0, 0, .042}).verdict, Verdict::unchanged);
  const Comparison lucky = with(0, {"gemm", "b", 0, 0, .042});
  EXPECT_EQ(lucky.verdict, Verdict::undecided);
  EXPECT_THAT(lucky.reason, testing::StartsWith("3 % is not detectable here (calibration: 4.2 % at best): "));
  EXPECT_FALSE(lucky.looks.at(0).used_stored) << "a limit is no variance";
  EXPECT_EQ(with(.2, {"gemm", "b", 0, 0, .042}).verdict, Verdict::regressed);
}

TEST(DecideSuite, MwuCliffNeedsAllThree) {
  Policy policy;
  policy.rule = Rule::mwu_cliff;
  policy.max_pairs = 8;
  const RuleCase cases[] = {
      {"slower", wobble(.05, .001, 8), Verdict::regressed},
      {"faster", wobble(-.05, .001, 8), Verdict::improved},
      {"significant and small", wobble(.02, .001, 8), Verdict::unchanged},
      {"three pairs", wobble(.5, .001, 3), Verdict::undecided},
      {"large and unclear", {.3, -.2, .25, -.1, .09, -.2, .2, .1}, Verdict::suspected},
  };
  for (const RuleCase& c : cases) EXPECT_EQ(judged(suite_of(c.d), policy).verdict, c.want) << c.name;
}

TEST(DecideSuite, OverridesChangeTheBandOfOneBenchmark) {
  Policy policy;
  policy.overrides.push_back({.match = "^b$", .tolerate = .1, .catch_limit = .2, .small = {}, .missing = {}});
  const Comparison got = judged(suite_of(wobble(.05, .001, 4)), policy);
  EXPECT_EQ(got.verdict, Verdict::unchanged);
  EXPECT_EQ(got.catch_limit, .2);
}

TEST(DecideSuite, ErrorOfTheSuiteItselfOnHeadAlone) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  Series wrong = test::series_of("b", 10);
  wrong.error = "no device";
  suite.processes = {test::process_of(Side::base, 0, {test::series_of("b", 10)}),
                     test::process_of(Side::head, 0, {wrong})};
  EXPECT_EQ(judged(suite).verdict, Verdict::crashed);
  EXPECT_THAT(judged(suite).reason, HasSubstr("no device"));
  suite.processes[0].series = {wrong};
  EXPECT_EQ(judged(suite).verdict, Verdict::undecided);  // both sides: not head's fault
}

TEST(DecideSuite, WrongNumbersStandWhateverBaseDoes) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.checks_passed = false;
  suite.failures = {
      {.benchmark = "odd", .side = Side::base, .verdict = Verdict::broken, .text = "x", .fingerprint = {}},
      {.benchmark = "odd", .verdict = Verdict::broken, .text = "rel 0.0312", .fingerprint = "f1"}};
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::broken);
  EXPECT_EQ(got.benchmark, "odd");
  EXPECT_EQ(got.fingerprint, "f1");
}

Verdict mirrored(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed: return Verdict::improved;
    case Verdict::improved: return Verdict::regressed;
    case Verdict::suspected: return Verdict::undecided;
    default: return verdict;
  }
}

SuiteEvidence random_suite(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double shift = .03 * normal(random), spread = .003 + .02 * std::abs(normal(random));
  std::vector<double> d(16);
  for (double& x : d) x = shift + spread * normal(random);
  return suite_of(d);
}

TEST(DecideSuiteProperty, SwappingSidesMirrorsEverything) {
  std::mt19937 random(30);
  for (const Rule rule : {Rule::pairs, Rule::mwu_cliff}) {
    Policy policy;
    policy.rule = rule;
    for (int trial = 0; trial < 300; ++trial) {
      const SuiteEvidence suite = random_suite(random);
      SuiteEvidence swapped = suite;
      for (Process& process : swapped.processes) process.side = process.side == Side::base ? Side::head : Side::base;
      const Comparison one = judged(suite, policy), other = judged(swapped, policy);
      EXPECT_EQ(one.pairs, other.pairs);
      if (other.verdict == Verdict::suspected)
        EXPECT_EQ(one.verdict, Verdict::undecided);
      else
        EXPECT_EQ(mirrored(one.verdict), other.verdict);
      EXPECT_NEAR(*one.ratio * *other.ratio, 1, 1e-12);
      EXPECT_NEAR(*one.ratio_low * *other.ratio_high, 1, 1e-12);
      EXPECT_NEAR(*one.cliffs_delta, -*other.cliffs_delta, 1e-12);
      EXPECT_NEAR(*one.mwu_p, *other.mwu_p, 1e-12);
    }
  }
}

TEST(DecideSuiteProperty, ScalingAllTimesChangesNothing) {
  std::mt19937 random(31);
  for (int trial = 0; trial < 300; ++trial) {
    const SuiteEvidence suite = random_suite(random);
    for (double scale : {1e-6, 0.7, 1e9}) {
      SuiteEvidence scaled = suite;
      for (Process& process : scaled.processes)
        for (Series& series : process.series)
          for (double& x : series.samples_ns) x *= scale;
      const Comparison one = judged(suite), other = judged(scaled);
      EXPECT_EQ(one.verdict, other.verdict);
      EXPECT_EQ(one.pairs, other.pairs);
      EXPECT_NEAR(*one.ratio, *other.ratio, 1e-9);
    }
  }
}

}  // namespace suite_test
}  // namespace kernelgate
