// SPDX-License-Identifier: Apache-2.0
#include "commands/simulate/simulate.hpp"

#include "commands/simulate/scenarios.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace kernelgate::local {
namespace simulate_test {

TEST(Simulate, JsonHoldsOneRowForEachRuleAndShift) {
  const SimulateOptions options{.rules = {"ours", "conbench_z"}, .true_shifts = {0, 0.05}, .trials = 50, .seed = 77};
  const auto results = simulate_rules(options);
  ASSERT_TRUE(results);
  const auto json = nlohmann::json::parse(simulation_json(options, *results));
  EXPECT_EQ(json["schema"], 1);
  ASSERT_EQ(json["results"].size(), 4U);
  for (const auto& row : json["results"]) {
    const double sum = row["regressed"].get<double>() + row["improved"].get<double>() + row["unchanged"].get<double>() +
                       row["undecided"].get<double>() + row["suspected"].get<double>();
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(row["trials"], 50);
  }
  EXPECT_EQ(json["results"][1]["rule"], "ours");
  EXPECT_EQ(json["results"][1]["true"], 0.05);
  EXPECT_NE(simulation_table(options, *results).find("conbench_z"), std::string::npos);
}

TEST(Simulate, AllMeansEveryRule) {
  const auto results = simulate_rules({.rules = {"all"}, .true_shifts = {0}, .trials = 2});
  EXPECT_EQ(results->size(), simulation::simulated_rules().size());
}

TEST(Simulate, BadInputIsNamed) {
  struct Case {
    SimulateOptions options;
    const char* where;
  };
  Case cases[] = {{{.rules = {"coin"}}, "--rule"},
                  {{.true_shifts = {-1}}, "--true"},
                  {{.trials = 0}, "--trials"},
                  {{}, "--looks"},
                  {{}, "--noise"},
                  {{}, "--tolerate, --catch"},
                  {{}, "--tolerate, --catch"},
                  {{}, "--stored-variance-factor"}};
  cases[3].options.setting.looks = {2, 3};
  cases[4].options.setting.noise = 0;
  cases[5].options.setting.policy.tolerate = 0.05;
  cases[6].options.setting.policy.catch_limit = 2;
  cases[7].options.setting.stored_variance_factor = std::numeric_limits<double>::infinity();
  for (const Case& c : cases) {
    const auto results = simulate_rules(c.options);
    ASSERT_FALSE(results) << c.where;
    EXPECT_EQ(results.error().where, c.where);
  }
}

TEST(SimulateScenarios, TableAndJsonHoldARowForEach) {
  const ScenarioOptions options{.names = {"walk", "outliers"}, .trials = 20};
  const auto rows = run_scenarios(options);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  const std::string table = scenario_table(options, *rows);
  EXPECT_NE(table.find("| walk | random walk of 1 % a process | "), std::string::npos);
  const auto json = nlohmann::json::parse(scenario_json(options, *rows));
  EXPECT_EQ(json["scenarios"][1]["name"], "outliers");
  ASSERT_EQ(json["scenarios"][1]["alone"].size(), 3U);
  EXPECT_EQ(json["scenarios"][1]["stored"][2]["true"], 0.03);
  EXPECT_FALSE(run_scenarios({.names = {"calm"}}));
}

}  // namespace simulate_test
}  // namespace kernelgate::local
