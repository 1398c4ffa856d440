// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/simulation/rules.hpp"
#include "core/simulation/tried.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::simulation {
namespace simulation_test {

Rates rates(std::string_view rule, double shift, int trials, const Setting& setting = {}) {
  return simulate(*find_simulated_rule(rule), setting, shift, trials, 77);
}

TEST(NoiseModel, HasTheStatedWidths) {
  Random random(1);
  const std::vector<double> effects(8, 0.0);
  std::vector<double> log_widths;
  for (int i = 0; i < 3000; ++i) {
    const SimulatedBenchmark benchmark(random, 1);
    std::vector<double> offsets;
    for (int session = 0; session < 2; ++session)
      offsets.push_back(median_of(benchmark.session(random, effects, 9).process(0)));
    log_widths.push_back(std::abs(offsets[1] - offsets[0]));
  }
  // Root of process .4 %, drift .5 %, session .6 %, a little repetition noise and modes, between two sessions: the
  // median of |difference| is .6745 x sqrt(2) x about .95 %.
  EXPECT_NEAR(stats::median(log_widths).value(), 0.0091, 0.0015);
}

TEST(NoiseModel, TheEffectIsThere) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 4000; ++i) {
    const SimulatedBenchmark benchmark(random, 1);
    sum += median_of(pair_differences(benchmark, random, 0.03, 4, 9));
  }
  EXPECT_NEAR(sum / 4000, 0.03, 0.0005);
}

// The rates that the Python model of the same noise gives, at 4,000 trials and seed 20261121 (docs/STATISTICS.md).
TEST(Rules, PeersAlarmAsTheIndependentModelSays) {
  struct Case {
    const char* rule;
    double shift, alarm;
  };
  for (const Case& c :
       {Case{"gbench_compare", 0, 0.399}, Case{"gbench_compare", 0.03, 0.935}, Case{"gbench_back_to_back", 0, 0.331},
        Case{"nvbench_compare", 0.01, 0.576}, Case{"benchstat", 0, 0.097}, Case{"benchstat_interleaved", 0.01, 0.697},
        Case{"bencher_percentage", 0.03, 0.491}, Case{"bencher_t", 0.03, 0.560}, Case{"conbench_z", 0.05, 0.413},
        Case{"mwu_cliff", 0.03, 0.505}}) {
    const Rates seen = rates(c.rule, c.shift, 2000);
    // Both are samples: four standard errors of the difference.
    const double margin = 4 * std::sqrt(c.alarm * (1 - c.alarm) * (1.0 / 2000 + 1.0 / 4000));
    EXPECT_NEAR(seen.regressed / 2000.0, c.alarm, margin) << c.rule << " at +" << c.shift;
  }
}

TEST(Rules, OursKeepsThePromise) {
  const Rates none = rates("ours", 0, 2000), wobble = rates("ours", 0.01, 2000), slow = rates("ours", 0.03, 2000);
  EXPECT_EQ(none.regressed, 0);
  EXPECT_LE(wobble.regressed, 20);  // .5 % and four standard errors
  EXPECT_GE(slow.regressed, 1860);  // 95 % less four standard errors
  EXPECT_LE(slow.unchanged, 44);
  EXPECT_LE(none.processes, 7.4);
  EXPECT_EQ(slow.regressed + slow.improved + slow.unchanged + slow.undecided + slow.suspected, 2000);
}

TEST(Rules, OursShowsAnEstimateBiasedAwayFromZeroWhereItStoppedEarly) {
  const Rates slow = rates("ours", 0.02, 2000);
  EXPECT_NEAR(slow.estimate, 0.02, 0.001);
  EXPECT_GT(slow.estimate_regressed, 0.022);
  EXPECT_LT(slow.estimate_regressed, 0.027);
}

TEST(Rules, TheMirrorHolds) {
  const Rates slower = rates("ours", 0.05, 500), faster = rates("ours", 1 / 1.05 - 1, 500);
  EXPECT_GE(slower.regressed, 490);
  EXPECT_GE(faster.improved, 490);
}

TEST(Rules, SeedsRepeatAndDiffer) {
  const SimulatedRule& rule = *find_simulated_rule("ours");
  const Rates first = simulate(rule, {}, 0.02, 300, 1), again = simulate(rule, {}, 0.02, 300, 1);
  EXPECT_EQ(first.regressed, again.regressed);
  EXPECT_EQ(first.processes, again.processes);
  EXPECT_NE(first.regressed, simulate(rule, {}, 0.02, 300, 2).regressed);
}

TEST(Rules, UnknownNamesAreNoRule) { EXPECT_EQ(find_simulated_rule("coin"), nullptr); }

TEST(Wilson, MatchesPublishedValues) {
  // Newcombe 1998, table I, method 3: 81/263 and 0/20.
  EXPECT_NEAR(wilson(81, 263).low, 0.2553, 1e-4);
  EXPECT_NEAR(wilson(81, 263).high, 0.3662, 1e-4);
  EXPECT_NEAR(wilson(0, 20).high, 0.1611, 1e-4);
  EXPECT_EQ(wilson(0, 20).low, 0);
}

// What docs/adr/0008 and 0009 rest on, in small: no idea alarms on unchanged code, and which of them saves processes.
TEST(TriedRules, DoWhatTheirDecisionsSay) {
  const Rates plain = rates("tried_futility", 0.03, 2000);  // the boundaries and looks of version 2, all but unchanged
  for (const SimulatedRule& rule : tried_rules()) {
    const Rates seen = simulate(rule, {}, 0, 2000, 77);
    EXPECT_LE(seen.regressed, 4) << rule.name;
    EXPECT_GE(seen.unchanged, 1900) << rule.name;
  }
  EXPECT_LT(rates("tried_degrees", 0.03, 2000).processes, plain.processes - 0.5);
  EXPECT_GT(rates("tried_mixture", 0.03, 2000).processes, plain.processes + 2);
  EXPECT_GT(rates("tried_spread", 0.03, 2000).processes, plain.processes + 1);
  Setting alone;
  alone.history = false;
  EXPECT_LT(rates("tried_suite_prior", 0.03, 2000, alone).processes, rates("ours", 0.03, 2000, alone).processes - 2);
}

}  // namespace simulation_test
}  // namespace kernelgate::simulation
