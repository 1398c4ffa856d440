// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/attempts.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace kernelgate::demo {
namespace attempts_test {

using testing::HasSubstr;
using testing::Not;

Comparison timed(const std::string& benchmark, Verdict verdict, double ratio) {
  Comparison c;
  c.benchmark = benchmark;
  c.verdict = verdict;
  c.ratio = ratio, c.ratio_low = ratio * 0.98, c.ratio_high = ratio * 1.02;
  return c;
}
Comparison failed(const std::string& benchmark, Verdict verdict, const std::string& fingerprint) {
  Comparison c;
  c.benchmark = benchmark;
  c.verdict = verdict;
  c.reason = "wrong_value: error 0.609, bound 1e-05";
  c.fingerprint = fingerprint;
  return c;
}
wire::Run run_of(const std::string& conclusion, std::vector<Comparison> comparisons) {
  wire::Run run;
  run.commit = std::string(40, 'c');
  run.conclusion = parse_conclusion(conclusion);
  run.comparisons = std::move(comparisons);
  run.wall_s = 7.25;
  return run;
}
Step step_of(int number, const std::string& expected, int same_failure_as = 0) {
  return {.number = number,
          .branch = "main",
          .title = "Try it",
          .hypothesis = "It helps",
          .expected = expected,
          .same_failure_as = same_failure_as,
          .add = {},
          .patch = ""};
}

TEST(Outcome, IsTheWorstOfTheRun) {
  EXPECT_EQ(outcome_of(run_of("regressed", {timed("a", Verdict::improved, 0.5), timed("b", Verdict::regressed, 2)})),
            "regressed");
  EXPECT_EQ(outcome_of(run_of("broken", {timed("a", Verdict::regressed, 2), failed("b", Verdict::crashed, "f")})),
            "crashed");
  EXPECT_EQ(outcome_of(run_of("passed", {timed("a", Verdict::improved, 0.5), timed("b", Verdict::unchanged, 1)})),
            "improved");
  EXPECT_EQ(outcome_of(run_of("undecided", {timed("a", Verdict::undecided, 1), timed("b", Verdict::suspected, 1)})),
            "suspected");
  EXPECT_EQ(outcome_of(run_of("build_failed", {})), "build_failed");
  EXPECT_EQ(outcome_of(run_of("infrastructure", {})), "infrastructure");
}

TEST(Outcome, WithoutAnyComparisonTheReasonCounts) {
  wire::Run run = run_of("passed", {});
  run.reason = "nothing_to_measure";
  EXPECT_EQ(outcome_of(run), "identical");
}

TEST(Attempts, ShowTheBenchmarkFurthestFromOne) {
  const auto run = run_of("regressed", {timed("a", Verdict::regressed, 1.4), timed("b", Verdict::regressed, 4),
                                        timed("c", Verdict::unchanged, 1)});
  const Attempt attempt = make_attempt(step_of(4, "regressed"), run, {});
  ASSERT_TRUE(attempt.shown);
  EXPECT_EQ(attempt.shown->benchmark, "b");
  EXPECT_TRUE(attempt.as_expected());
}

TEST(Attempts, ARegressionIsShownWithItsEvidence) {
  Comparison slower = timed("a", Verdict::regressed, 9);
  slower.code_changes = {"product: spills 0 -> 1776 bytes"};
  Comparison faster = timed("a", Verdict::improved, 0.5);
  faster.roof = RoofPosition{.intensity = 50, .fraction = 0.5, .roof = "fp16"};
  const std::vector<Attempt> attempts{make_attempt(step_of(8, "regressed"), run_of("regressed", {slower}), {}),
                                      make_attempt(step_of(9, "improved"), run_of("passed", {faster}), {})};
  EXPECT_THAT(verdict_line(attempts[0]), HasSubstr("device code: product: spills 0 -> 1776 bytes"));
  EXPECT_THAT(verdict_line(attempts[1]), Not(HasSubstr("roof")));
  const auto json = nlohmann::json::parse(to_json(attempts)).at("attempts");
  EXPECT_EQ(json.at(0).at("evidence"), "device code: product: spills 0 -> 1776 bytes");
  EXPECT_TRUE(json.at(1).at("evidence").is_null());
}

TEST(Attempts, SayWhichEarlierFailureIsTheSame) {
  const auto first =
      run_of("broken", {failed("square", Verdict::broken, "11 square"), failed("odd", Verdict::broken, "22 odd")});
  const auto second = run_of(
      "broken", {failed("square/fresh", Verdict::broken, "33 square/fresh"), failed("odd", Verdict::broken, "22 odd")});
  std::vector<Attempt> attempts;
  attempts.push_back(make_attempt(step_of(5, "broken"), first, {}));
  attempts.push_back(make_attempt(step_of(6, "broken", 5), second, attempts));
  EXPECT_EQ(attempts[1].same_failure_as, 5);
  EXPECT_EQ(attempts[1].fingerprint, "22 odd");
  EXPECT_TRUE(all_as_expected(attempts));
  EXPECT_THAT(to_table(attempts, {}), HasSubstr("the same failure as #5"));
  attempts[1].step.same_failure_as = 0;
  EXPECT_FALSE(all_as_expected(attempts));
}

TEST(Attempts, ATableNamesWhatWasNotExpected) {
  const std::vector<Attempt> attempts{
      make_attempt(step_of(2, "improved"), run_of("passed", {timed("a", Verdict::unchanged, 1.01)}), {})};
  EXPECT_THAT(to_table(attempts, {}), HasSubstr("unchanged (expected improved)"));
  EXPECT_THAT(to_table(attempts, {}), HasSubstr("7.2"));
  EXPECT_THAT(verdict_line(attempts[0]), Not(HasSubstr("same failure")));
}

TEST(Attempts, JsonHoldsEachMember) {
  const std::vector<Attempt> attempts{
      make_attempt(step_of(3, "improved"), run_of("passed", {timed("a", Verdict::improved, 0.5)}), {}),
      make_attempt(step_of(5, "broken"), run_of("broken", {failed("odd", Verdict::broken, "22 odd")}), {})};
  const auto json = nlohmann::json::parse(to_json(attempts));
  EXPECT_EQ(json.at("schema"), 1);
  const auto& first = json.at("attempts").at(0);
  EXPECT_EQ(first.at("commit"), std::string(40, 'c'));
  EXPECT_EQ(first.at("outcome"), "improved");
  EXPECT_DOUBLE_EQ(first.at("ratio").get<double>(), 0.5);
  EXPECT_TRUE(first.at("error").is_null());
  const auto& second = json.at("attempts").at(1);
  EXPECT_EQ(second.at("fingerprint"), "22 odd");
  EXPECT_TRUE(second.at("ratio").is_null());
  EXPECT_THAT(second.at("error").get<std::string>(), HasSubstr("0.609"));
}

}  // namespace attempts_test
}  // namespace kernelgate::demo
