// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/looks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace kernelgate {
namespace looks_test {

using Ints = std::vector<int>;

TEST(LookSchedule, IsTheOneOfTheRule) {
  EXPECT_EQ(look_schedule(16, true), (Ints{2, 4, 6, 8, 12, 16}));
  EXPECT_EQ(look_schedule(16, false), (Ints{4, 6, 8, 12, 16}));
  EXPECT_EQ(look_schedule(10, false), (Ints{4, 6, 8, 10}));
  EXPECT_EQ(look_schedule(11, true), (Ints{2, 4, 6, 8, 10}));
  EXPECT_EQ(look_schedule(3, false), (Ints{2}));
  EXPECT_EQ(look_schedule(40, true), (Ints{2, 4, 6, 8, 12, 16, 40}));
  EXPECT_EQ(look_schedule(1, true), Ints{});
}

// A variance as fifteen degrees of freedom of steady runs leave it.
KnownNoise known(std::optional<double> variance) {
  KnownNoise out;
  if (variance) out.stored = StoredVariance{.suite = {}, .benchmark = {}, .variance = *variance, .degrees = 15};
  return out;
}

// d of alternating sign about `shift`: standard deviation `spread` to within sqrt(n / (n - 1)).
std::vector<double> series(double shift, double spread, int pairs) {
  std::vector<double> d;
  for (int i = 0; i < pairs; ++i) d.push_back(std::log1p(shift) + (i % 2 == 0 ? spread : -spread));
  return d;
}

struct Case {
  const char* name;
  double shift, spread;
  std::optional<double> stored_sd;
  Verdict want;
  Severity severity;
  int pairs;
};

TEST(Sequence, VerdictsOfTheRule) {
  const Case cases[] = {
      {"quiet and level", 0, .001, {}, Verdict::unchanged, Severity::none, 4},
      {"quiet and level, stored", 0, .001, .001, Verdict::unchanged, Severity::none, 2},
      {"far slower", .4, .01, {}, Verdict::regressed, Severity::full, 4},
      {"slower by two percent", .02, .0005, {}, Verdict::regressed, Severity::small, 4},
      {"slower by 3.5 percent", .035, .001, .001, Verdict::regressed, Severity::full, 4},
      {"faster", -.1, .005, {}, Verdict::improved, Severity::none, 4},
      {"noisy and level", 0, .04, {}, Verdict::undecided, Severity::none, 16},
      {"noisy and slower", .025, .02, {}, Verdict::suspected, Severity::none, 16},
      {"noisy and faster", -.025, .02, {}, Verdict::undecided, Severity::none, 16},
  };
  for (const Case& c : cases) {
    Quantiles quantiles;
    const std::optional<double> stored = c.stored_sd ? std::optional(*c.stored_sd * *c.stored_sd) : std::nullopt;
    const Sequence got = judge_sequence(series(c.shift, c.spread, 16), look_schedule(16, stored.has_value()),
                                        known(stored), band_of(Policy{}, 1), quantiles);
    EXPECT_EQ(got.verdict, c.want) << c.name;
    EXPECT_EQ(got.severity, c.severity) << c.name;
    EXPECT_EQ(got.pairs, c.pairs) << c.name;
    EXPECT_TRUE(got.finished) << c.name;
  }
}

TEST(Judge, StaleStoredVarianceIsDropped) {
  Quantiles quantiles;
  const std::vector<double> d = series(0, .01, 4);
  EXPECT_TRUE(judge(d, known(1e-4), band_of(Policy{}, 1), quantiles).look.used_stored);
  const Look stale = judge(d, known(1e-6), band_of(Policy{}, 1), quantiles).look;  // F = 133
  EXPECT_FALSE(stale.used_stored);
  EXPECT_EQ(stale.degrees, 3);
}

TEST(Judge, WeighsStoredVarianceWithFifteenDegrees) {
  Quantiles quantiles;
  const std::vector<double> d{.01, -.01};  // mean 0, variance 2e-4
  const Look look = judge(d, known(1e-4), band_of(Policy{}, 1), quantiles).look;
  EXPECT_EQ(look.degrees, 16);
  EXPECT_NEAR(look.se * look.se * 2, (15 * 1e-4 + 2e-4) / 16, 1e-18);
}

TEST(Judge, AnAlarmStandsOnTodaysPairsToo) {
  Quantiles quantiles;
  // Five times the stored variance: too little for the F test at two and four pairs.
  const std::vector<double> two = series(.04, .015 / std::sqrt(2.0), 2), four = series(.04, .0135, 4);
  for (const auto& d : {two, four}) {
    const Look look = judge(d, known(.007 * .007), band_of(Policy{}, 1), quantiles).look;
    EXPECT_TRUE(look.used_stored);
    EXPECT_EQ(look.verdict, Verdict::undecided);
  }
  EXPECT_EQ(judge(series(.04, .004, 4), known(.007 * .007), band_of(Policy{}, 1), quantiles).look.verdict,
            Verdict::regressed);
}

TEST(Judge, NoSpreadIsNoCertainty) {
  Quantiles quantiles;
  const std::vector<double> d(4, std::log1p(.015));
  EXPECT_EQ(judge(d, {}, band_of(Policy{}, 1), quantiles).look.verdict, Verdict::regressed);
  const double step = .0064;
  const Judged floored = judge(d, {.clock = step * step / 6}, band_of(Policy{}, 1), quantiles);
  EXPECT_NE(floored.look.verdict, Verdict::regressed);
  EXPECT_NEAR(floored.look.se, step / std::sqrt(6.0 * 4), 1e-12);
}

TEST(Judge, RunsThatDifferWidenTheInterval) {
  Quantiles quantiles;
  KnownNoise noise = known(1e-6);
  noise.stored->between = .016 * .016;
  noise.stored->runs = 20;
  const Judged judged = judge(series(.035, .001, 4), noise, band_of(Policy{}, 1), quantiles);
  EXPECT_EQ(judged.look.verdict, Verdict::undecided);
  EXPECT_GT(judged.half_width, .03);
  EXPECT_NEAR(judged.look.degrees, 8, .5);
}

TEST(Outliers, OneFarPairIsDrawnInAndTwoModesAreNot) {
  std::vector<double> d = series(.03, .005, 8);
  d[3] = .3;
  const auto drawn = without_outliers(d, {});
  EXPECT_LT(drawn[3], .08);
  EXPECT_EQ(drawn[2], d[2]);
  EXPECT_EQ(without_outliers(std::span(d).first(4), {}), std::vector<double>(d.begin(), d.begin() + 4));
  EXPECT_LT(without_outliers(std::span(d).first(4), known(5e-5))[3], .08);
  EXPECT_EQ(without_outliers(d, known(0))[2], d[2]) << "no stored spread draws nothing in by itself";
  d[5] = -.3;
  EXPECT_EQ(without_outliers(d, {}), d);
}

TEST(Band, ManyBenchmarksShareTheAlarms) {
  EXPECT_EQ(band_of(Policy{}, 100).alarm_tail, 0.001);
  EXPECT_DOUBLE_EQ(band_of(Policy{}, 400).alarm_tail, 0.1 / 400);
}

TEST(Sequence, IsOpenBeforeItsLastLook) {
  Quantiles quantiles;
  const Sequence got =
      judge_sequence(series(.02, .02, 5), look_schedule(16, false), {}, band_of(Policy{}, 1), quantiles);
  EXPECT_FALSE(got.finished);
  EXPECT_EQ(got.looks.size(), 1u);
  EXPECT_EQ(got.pairs, 5);
}

std::vector<double> random_series(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double shift = .03 * normal(random), spread = .003 + .02 * std::abs(normal(random));
  std::vector<double> d(16);
  for (double& x : d) x = shift + spread * normal(random);
  return d;
}

Verdict mirrored(Verdict verdict) {
  if (verdict == Verdict::regressed) return Verdict::improved;
  if (verdict == Verdict::improved) return Verdict::regressed;
  return verdict;
}

TEST(SequenceProperty, SwappingBaseAndHeadMirrors) {
  std::mt19937 random(20);
  Quantiles quantiles;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> d = random_series(random);
    const std::optional<double> stored = trial % 2 == 0 ? std::optional(1e-4) : std::nullopt;
    const Ints schedule = look_schedule(16, stored.has_value());
    const Sequence one = judge_sequence(d, schedule, known(stored), band_of(Policy{}, 1), quantiles);
    for (double& x : d) x = -x;
    const Sequence other = judge_sequence(d, schedule, known(stored), band_of(Policy{}, 1), quantiles);
    EXPECT_EQ(one.pairs, other.pairs);
    const auto decided = [](Verdict verdict) { return verdict == Verdict::suspected ? Verdict::undecided : verdict; };
    EXPECT_EQ(mirrored(decided(one.verdict)), decided(other.verdict));
  }
}

TEST(SequenceProperty, MoreOfTheSamePairsNeverTurnRegressedIntoUnchanged) {
  std::mt19937 random(21);
  Quantiles quantiles;
  int regressed = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> d = random_series(random);
    const Band band = band_of(Policy{}, 1);
    const Sequence first = judge_sequence(d, look_schedule(16, false), {}, band, quantiles);
    if (first.verdict != Verdict::regressed) continue;
    regressed += 1;
    d.resize(static_cast<std::size_t>(first.pairs));
    const std::vector<double> once = d;
    d.insert(d.end(), once.begin(),
             once.end());  // same mean; variance about its mean the same or lower
    EXPECT_NE(judge(d, {}, band, quantiles).look.verdict, Verdict::unchanged);
  }
  EXPECT_GT(regressed, 100);
}

}  // namespace looks_test
}  // namespace kernelgate
