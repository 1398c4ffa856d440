// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace kernelgate::simulation {
namespace peers_test {

using Values = std::vector<double>;

Values logs(Values times) {
  for (double& time : times) time = std::log(time);
  return times;
}

// The limits of each rule, reckoned by hand.
TEST(Nvbench, AlarmsBeyondTheSmallerRelativeSpread) {
  const Values base = logs({99, 101});                                    // sd 1.41 of 100
  EXPECT_EQ(nvbench_rule(base, logs({96, 106.7})), Verdict::unchanged);   // +1.35 %
  EXPECT_EQ(nvbench_rule(base, logs({96, 106.9})), Verdict::regressed);   // +1.45 %
  EXPECT_EQ(nvbench_rule(base, logs({93.1, 103.9})), Verdict::improved);  // -1.5 %
  EXPECT_EQ(nvbench_rule(logs({96, 104}), logs({100, 102})), Verdict::unchanged) << "head's own spread is 1.4 %";
  EXPECT_EQ(nvbench_rule(logs({96, 104}), logs({101, 103})), Verdict::regressed);
}

TEST(BencherPercentage, AlarmsBeyondThreePercentOfTheMean) {
  const Values past{98, 102, 100};
  EXPECT_EQ(bencher_percentage_rule(past, 102.9), Verdict::unchanged);
  EXPECT_EQ(bencher_percentage_rule(past, 103.1), Verdict::regressed);
  EXPECT_EQ(bencher_percentage_rule(past, 97.1), Verdict::unchanged);
  EXPECT_EQ(bencher_percentage_rule(past, 96.9), Verdict::improved);
}

TEST(BencherT, AlarmsBeyondTheQuantileOfStudent) {
  const Values past{99, 101};  // the population's sd is 1; t(.99) of one degree is 31.82
  EXPECT_EQ(bencher_t_rule(past, 131.8), Verdict::unchanged);
  EXPECT_EQ(bencher_t_rule(past, 131.9), Verdict::regressed);
  EXPECT_EQ(bencher_t_rule(past, 68.2), Verdict::unchanged);
  EXPECT_EQ(bencher_t_rule(past, 68.1), Verdict::improved);
}

TEST(Conbench, AlarmsBeyondFiveSamplesSpreads) {
  const Values past{99, 101};  // the sample's sd is 1.4142
  EXPECT_EQ(conbench_rule(past, 107.07), Verdict::unchanged);
  EXPECT_EQ(conbench_rule(past, 107.08), Verdict::regressed);
  EXPECT_EQ(conbench_rule(past, 92.93), Verdict::unchanged);
  EXPECT_EQ(conbench_rule(past, 92.92), Verdict::improved);
}

TEST(Gbench, NeedsFourAgainstFourToAlarm) {
  EXPECT_EQ(gbench_rule(Values{1, 2, 3}, Values{4, 5, 6}), Verdict::unchanged) << "p is .1";
  EXPECT_EQ(gbench_rule(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}), Verdict::regressed) << "p is .029";
  EXPECT_EQ(gbench_rule(Values{5, 6, 7, 8}, Values{1, 2, 3, 4}), Verdict::improved);
  EXPECT_EQ(gbench_rule(Values{1, 2, 3, 5}, Values{4, 6, 7, 8}), Verdict::unchanged) << "p is .057";
  EXPECT_EQ(benchstat_rule(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}), Verdict::regressed);
}

TEST(Means, AreOfTimesNotOfLogs) {
  EXPECT_DOUBLE_EQ(mean_of(Values{1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(mean_time(logs({100, 400})), 250);
}

struct TwoSampleRule {
  const char* name;
  Verdict (*rule)(std::span<const double>, std::span<const double>);
};
void PrintTo(const TwoSampleRule& rule, std::ostream* out) { *out << rule.name; }

class TwoSamples : public testing::TestWithParam<TwoSampleRule> {
 protected:
  // Two samples of log times, the second up to 6 % off.
  std::pair<Values, Values> draw() {
    std::normal_distribution<double> noise(0, 0.01);
    std::uniform_real_distribution<double> shift(-0.06, 0.06);
    Values base(12), head(12);
    const double by = shift(random_);
    for (double& value : base) value = 3 + noise(random_);
    for (double& value : head) value = 3 + by + noise(random_);
    return {base, head};
  }
  std::mt19937_64 random_{29};
};

TEST_P(TwoSamples, OrderAndUnitChangeNothingAndEqualSamplesAreUnchanged) {
  const auto rule = GetParam().rule;
  for (int i = 0; i < 100; ++i) {
    auto [base, head] = draw();
    const Verdict seen = rule(base, head);
    EXPECT_EQ(rule(base, base), Verdict::unchanged);
    std::shuffle(base.begin(), base.end(), random_);
    std::reverse(head.begin(), head.end());
    EXPECT_EQ(rule(base, head), seen);
    for (Values* side : {&base, &head})
      for (double& value : *side) value += std::log(1000);  // ms in place of s
    EXPECT_EQ(rule(base, head), seen);
  }
}

TEST_P(TwoSamples, SwappedSidesGiveTheOppositeVerdict) {
  const auto rule = GetParam().rule;
  int alarms = 0;
  for (int i = 0; i < 200; ++i) {
    const auto [base, head] = draw();
    const Verdict there = rule(base, head), back = rule(head, base);
    alarms += there == Verdict::unchanged ? 0 : 1;
    EXPECT_FALSE(there == back && there != Verdict::unchanged);
    // NVBench takes its share of base's mean, so that a shift near the limit may alarm one way alone.
    EXPECT_TRUE(rule == nvbench_rule || (there == Verdict::unchanged) == (back == Verdict::unchanged));
  }
  EXPECT_GT(alarms, 50);
}

INSTANTIATE_TEST_SUITE_P(Rules, TwoSamples,
                         testing::Values(TwoSampleRule{"gbench", gbench_rule}, TwoSampleRule{"nvbench", nvbench_rule},
                                         TwoSampleRule{"benchstat", benchstat_rule}),
                         [](const auto& each) { return std::string(each.param.name); });

// Every rule that `kernelgate simulate` knows, on its own model.
TEST(EveryRule, CountsEachTrialOnceAndSeesALargeShift) {
  for (const SimulatedRule& rule : simulated_rules()) {
    SCOPED_TRACE(rule.name);
    const auto slow = simulate(rule, {}, 0.5, 40, 3);
    EXPECT_EQ(slow.regressed, 40);
    EXPECT_GE(slow.processes, 1);
    EXPECT_EQ(simulate(rule, {}, -0.4, 40, 3).improved, 40);
    const auto some = simulate(rule, {}, 0.015, 60, 3);
    EXPECT_EQ(some.regressed + some.improved + some.unchanged + some.undecided + some.suspected, some.trials);
    EXPECT_EQ(find_simulated_rule(rule.name)->run, rule.run);
  }
}

TEST(Wilson, IsSymmetricAndHoldsItsRate) {
  for (int count = 0; count <= 50; ++count) {
    const Proportion here = wilson(count, 50), mirrored = wilson(50 - count, 50);
    EXPECT_LE(here.low, here.rate);
    EXPECT_GE(here.high, here.rate);
    EXPECT_NEAR(here.low, 1 - mirrored.high, 1e-12);
    EXPECT_GE(here.low, 0);
    EXPECT_LE(here.high, 1);
  }
}

TEST(NoiseModel, SeedsOfTrialsDiffer) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (std::uint64_t stream = 0; stream < 8; ++stream)
      for (std::uint64_t trial = 0; trial < 32; ++trial) seeds.push_back(trial_seed(seed, stream, trial));
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
}

TEST(NoiseModel, MedianIsThatOfTheSortedValues) {
  EXPECT_EQ(median_of(Values{3}), 3);
  EXPECT_EQ(median_of(Values{5, 1, 3}), 3);
  EXPECT_EQ(median_of(Values{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of(Values{1, 1, 1, 9}), 1);
}

TEST(NoiseModel, WithoutNoisePairsDifferByTheEffectAlone) {
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    const SimulatedBenchmark quiet(random, 0);
    const Values d = pair_differences(quiet, random, 0.05, 6, 25);
    ASSERT_EQ(d.size(), 6U);
    for (const double each : d) EXPECT_NEAR(each, 0.05, 0.01) << "ticks and spikes alone are left";
  }
}

}  // namespace peers_test
}  // namespace kernelgate::simulation
