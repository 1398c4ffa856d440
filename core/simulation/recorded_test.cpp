// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace kernelgate::simulation {
namespace recorded_test {

struct Variant {
  const char* name;
  double factor;
};

// Rounds of one kernel with 20 repetitions a process and some noise, another in each round.
std::vector<RecordedProcess> recorded(const std::string& kernel, std::vector<Variant> variants,
                                      int rounds = kRoundsMin) {
  std::vector<RecordedProcess> out;
  std::mt19937_64 random(17);
  std::normal_distribution<double> noise(0, 0.002);
  for (int round = 1; round <= rounds; ++round)
    for (const auto& [variant, factor] : variants) {
      RecordedProcess process{.kernel = kernel, .variant = variant, .round = round, .log_times = {}};
      const double level = std::log(100 * factor) + noise(random);
      for (int i = 0; i < 20; ++i) process.log_times.push_back(level + 0.2 * noise(random));
      out.push_back(process);
    }
  return out;
}

const std::vector<Variant> kVariants{{"base", 1}, {"aa", 1}, {"slow", 1.08}, {"fast", 1 / 1.08}};

const RecordedCase& find(const std::vector<RecordedCase>& cases, const std::string& rule, const std::string& variant) {
  return *std::find_if(cases.begin(), cases.end(),
                       [&](const auto& one) { return one.rule == rule && one.variant == variant; });
}

void expect_same(const std::vector<RecordedCase>& a, const std::vector<RecordedCase>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string what = a[i].rule + " " + a[i].variant;
    EXPECT_EQ(b[i].rule + " " + b[i].variant, what);
    EXPECT_NEAR(a[i].ratio, b[i].ratio, 1e-12) << what;
    EXPECT_EQ(a[i].slower, b[i].slower) << what;
    EXPECT_EQ(a[i].faster, b[i].faster) << what;
    EXPECT_EQ(a[i].undecided, b[i].undecided) << what;
    EXPECT_DOUBLE_EQ(a[i].processes, b[i].processes) << what;
  }
}

TEST(Recorded, EveryRuleJudgesEveryVariantOnceARound) {
  const auto cases = judge_recorded(recorded("copy", kVariants), {});
  std::set<std::string> rules;
  for (const RecordedCase& one : cases) {
    rules.insert(one.rule);
    EXPECT_EQ(one.trials, kRoundsMin) << one.rule;
    EXPECT_LE(one.slower + one.faster + one.undecided, one.trials) << one.rule;
    EXPECT_NE(one.variant, "base");
    EXPECT_NEAR(one.ratio, one.variant == "aa" ? 1 : one.variant == "slow" ? 1.08 : 1 / 1.08, 0.005);
  }
  EXPECT_EQ(cases.size(), 3 * rules.size());
  for (const std::string& rule : rules) {
    EXPECT_EQ(find(cases, rule, "slow").slower, kRoundsMin) << rule;
    EXPECT_EQ(find(cases, rule, "slow").faster, 0) << rule;
    EXPECT_EQ(find(cases, rule, "fast").faster, kRoundsMin) << rule;
    EXPECT_EQ(find(cases, rule, "fast").slower, 0) << rule;
  }
  EXPECT_EQ(find(cases, "ours", "aa").slower + find(cases, "ours", "aa").faster, 0);
  EXPECT_EQ(find(cases, "mwu_cliff", "aa").processes, 16);
  EXPECT_EQ(find(cases, "benchstat_interleaved", "aa").processes, 20);
}

TEST(Recorded, UnitOrderOfLinesAndTheFirstRoundChangeNothing) {
  const auto processes = recorded("copy", kVariants, 13);
  const auto cases = judge_recorded(processes, {});
  auto other = processes;
  std::shuffle(other.begin(), other.end(), std::mt19937_64(5));
  expect_same(judge_recorded(other, {}), cases);
  other = processes;
  for (RecordedProcess& process : other) process.round = process.round % 13 + 1;  // a trial reads them in a circle
  expect_same(judge_recorded(other, {}), cases);
  other = processes;
  for (RecordedProcess& process : other)
    for (double& time : process.log_times) time += std::log(1024.0);
  expect_same(judge_recorded(other, {}), cases);
}

TEST(Recorded, BaseAgainstItselfIsTheInverse) {
  auto swapped = recorded("copy", {{"base", 1}, {"aa", 1}, {"slow", 1.05}});
  const double there = find(judge_recorded(swapped, {}), "ours", "slow").ratio;
  for (RecordedProcess& process : swapped) {
    if (process.variant == "aa") continue;
    process.variant = process.variant == "base" ? "slow" : "base";
  }
  const auto back = judge_recorded(swapped, {});
  EXPECT_NEAR(there * find(back, "ours", "slow").ratio, 1, 1e-12);
  EXPECT_EQ(find(back, "ours", "slow").faster, kRoundsMin);
}

struct Incomplete {
  const char* name;
  std::vector<RecordedProcess> processes;
};
void PrintTo(const Incomplete& each, std::ostream* out) { *out << each.name; }

class LeftOut : public testing::TestWithParam<Incomplete> {};

TEST_P(LeftOut, AKernelThatIsNotWholeIsLeftOutAloneOfOthers) {
  auto processes = GetParam().processes;
  EXPECT_TRUE(judge_recorded(processes, {}).empty());
  const auto whole = recorded("zeta", {{"base", 1}, {"aa", 1}});
  processes.insert(processes.end(), whole.begin(), whole.end());
  for (const RecordedCase& one : judge_recorded(processes, {})) EXPECT_EQ(one.kernel, "zeta");
}

std::vector<RecordedProcess> without(const std::string& variant, int round, int becomes = 0) {
  auto out = recorded("copy", kVariants);
  if (becomes == 0) std::erase_if(out, [&](const auto& one) { return one.variant == variant && one.round == round; });
  for (RecordedProcess& one : out)
    if (one.variant == variant && one.round == round) one.round = becomes;
  return out;
}

INSTANTIATE_TEST_SUITE_P(Kernels, LeftOut,
                         testing::Values(Incomplete{"nothing", {}},
                                         Incomplete{"no_base", recorded("copy", {{"aa", 1}, {"slow", 1.1}})},
                                         Incomplete{"no_aa", recorded("copy", {{"base", 1}, {"slow", 1.1}})},
                                         Incomplete{"few_rounds", recorded("copy", kVariants, kRoundsMin - 1)},
                                         Incomplete{"a_round_less", without("slow", kRoundsMin)},
                                         Incomplete{"a_gap", without("aa", 5)},
                                         Incomplete{"a_gap_and_a_late_round", without("aa", 5, kRoundsMin + 1)},
                                         Incomplete{"round_zero", without("base", 1, -1)}),
                         [](const auto& each) { return std::string(each.param.name); });

RecordedCase counted(const char* rule, double ratio, int slower, int faster, int undecided, double processes,
                     int trials = 10) {
  return {.rule = rule,
          .kernel = "k",
          .variant = "v",
          .ratio = ratio,
          .trials = trials,
          .slower = slower,
          .faster = faster,
          .undecided = undecided,
          .processes = processes};
}

TEST(Score, SortsCasesByTheMeasuredRatio) {
  const auto scores = score_recorded(
      {counted("a", 1.0099, 1, 2, 3, 4), counted("a", 1 / 1.0099, 1, 0, 0, 4), counted("a", 1.0101, 5, 1, 0, 8),
       counted("a", 1 / 1.0299, 1, 6, 0, 8), counted("a", 1.0301, 9, 1, 0, 16), counted("a", 1 / 1.0301, 1, 7, 2, 20),
       counted("b", 1, 0, 0, 0, 2, 30), counted("b", 2, 10, 0, 0, 10)},
      {});
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].rule, "a");
  EXPECT_EQ(scores[0].same, 20);
  EXPECT_EQ(scores[0].false_alarms, 4) << "in either direction";
  EXPECT_EQ(scores[0].between, 20);
  EXPECT_EQ(scores[0].between_alarms, 11) << "in the right direction";
  EXPECT_EQ(scores[0].moved, 20);
  EXPECT_EQ(scores[0].caught, 16);
  EXPECT_EQ(scores[0].undecided, 5);
  EXPECT_DOUBLE_EQ(scores[0].processes, 10);
  EXPECT_DOUBLE_EQ(scores[1].processes, 4) << "weighted by trials";
  EXPECT_EQ(scores[1].same, 30);
  EXPECT_TRUE(score_recorded({}, {}).empty());
}

TEST(Score, TheBandIsThePolicys) {
  Policy wide;
  wide.tolerate = 0.1;
  wide.catch_limit = 0.2;
  const auto scores = score_recorded(
      {counted("a", 1.09, 3, 0, 0, 1), counted("a", 1.15, 4, 0, 0, 1), counted("a", 1.21, 5, 0, 0, 1)}, wide);
  EXPECT_EQ(scores.at(0).false_alarms, 3);
  EXPECT_EQ(scores[0].between_alarms, 4);
  EXPECT_EQ(scores[0].caught, 5);
}

}  // namespace recorded_test
}  // namespace kernelgate::simulation
