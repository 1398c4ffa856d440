// SPDX-License-Identifier: Apache-2.0
#include "commands/simulate/recorded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace kernelgate::local {
namespace recorded_test {

using testing::HasSubstr;

// Twelve rounds of one kernel: base, aa, 2 % and 5 % slower; 0.05 % noise that repeats from round to round.
std::string series(int rounds = 12) {
  std::string out;
  const std::pair<const char*, double> variants[] = {{"base", 1}, {"aa", 1}, {"p2", 1.02}, {"p5", 1.05}};
  for (int round = 1; round <= rounds; ++round)
    for (const auto& [variant, factor] : variants) {
      out += fmt::format(R"({{"kernel":"copy","variant":"{}","round":{},"us":[)", variant, round);
      for (int i = 0; i < 40; ++i) {
        const double level = 100 * factor * (1 + 0.0005 * ((7 * round + 3 * variant[1]) % 5 - 2));
        out += fmt::format("{}{:.4f}", i == 0 ? "" : ",", level + 0.01 * (i * 11 % 7));
      }
      out += "]}\n";
    }
  return out;
}

TEST(RecordedSeries, AreJudgedAgainstTheMeasuredRatio) {
  const auto processes = parse_series(series(), "s");
  ASSERT_TRUE(processes) << to_string(processes.error());
  const Policy policy;
  const auto cases = judge_recorded(*processes, policy);
  ASSERT_EQ(cases.size(), 33U);  // 11 rules x 3 variants
  const auto& p5 = cases[2];
  EXPECT_EQ(p5.rule, "ours");
  EXPECT_EQ(p5.variant, "p5");
  EXPECT_NEAR(p5.ratio, 1.05, 0.001);
  EXPECT_EQ(p5.slower, 12);
  EXPECT_EQ(p5.processes, 8);
  const auto json = nlohmann::json::parse(recorded_json(cases, policy));
  const auto& ours = json["scores"][0];
  EXPECT_EQ(ours["false_alarms"], 0);
  EXPECT_EQ(ours["same"], 12);
  EXPECT_EQ(ours["moved"], 12);
  EXPECT_EQ(ours["caught"], 12);
  EXPECT_EQ(ours["between"], 12);
  EXPECT_EQ(json["schema"], 1);
  ASSERT_EQ(json["cases"].size(), cases.size());
  EXPECT_EQ(json["cases"][0]["kernel"], cases[0].kernel);
  EXPECT_EQ(json["cases"][0]["regressed"], cases[0].slower);
  EXPECT_EQ(json["cases"][0]["improved"], cases[0].faster);
  const std::string table = recorded_table(cases, policy);
  EXPECT_THAT(table, HasSubstr("| conbench_z | 0.0 (0 of 12) |"));
  EXPECT_THAT(table, HasSubstr("| copy aa | "));
  EXPECT_THAT(table, HasSubstr("12 unchanged"));
}

TEST(RecordedSeries, TooFewRoundsAreLeftOut) {
  EXPECT_TRUE(judge_recorded(*parse_series(series(11), "s"), {}).empty());
}

TEST(RecordedSeries, BadLinesAreNamed) {
  const std::string good = series(1);
  for (const char* line :
       {"nonsense", "[]", R"({"kernel":"a","variant":"b"})", R"({"kernel":"a","variant":"b","round":1})",
        R"({"kernel":"a","variant":"b","round":1,"us":[1,2]})", R"({"kernel":1,"variant":"b","round":1})",
        R"({"kernel":"a","variant":"b","round":1.5,"us":[]})"}) {
    const auto parsed = parse_series(good + line, "file");
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().where, "file:5");
  }
  std::string zero = good;
  zero.replace(zero.rfind(',') + 1, 6, "-1.000");
  EXPECT_FALSE(parse_series(zero, "file"));
  EXPECT_FALSE(parse_series("", "file"));
  EXPECT_FALSE(read_series("/nonexistent"));
}

}  // namespace recorded_test
}  // namespace kernelgate::local
