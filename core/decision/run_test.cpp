// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace run_test {

using test::add_pairs;
using test::suite_named;
using test::suite_of;
using test::wobble;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunEvidence run_of(std::vector<SuiteEvidence> suites) {
  RunEvidence out;
  out.suites = std::move(suites);
  return out;
}

CaseFailure failure(Verdict verdict, Side side = Side::head) {
  return {.benchmark = "b", .side = side, .verdict = verdict, .text = "text", .fingerprint = "f"};
}

SuiteEvidence with_failure(Verdict verdict, Side side = Side::head) {
  SuiteEvidence out = suite_named("gemm", {"b"});
  out.failures.push_back(failure(verdict, side));
  return out;
}

RunEvidence timed(double shift, double spread, int pairs) { return run_of({suite_of(wobble(shift, spread, pairs))}); }

RunEvidence with_infrastructure(RunEvidence run) {
  run.infrastructure = "the disk is full";
  return run;
}

RunEvidence regressed_and_undecided() {
  SuiteEvidence suite = suite_named("gemm", {"a", "b"});
  add_pairs(suite, "a", wobble(.1, .001, 4));
  add_pairs(suite, "b", wobble(0, .04, 16));
  return run_of({suite});
}

RunEvidence unchanged_beside(const std::string& missing, const std::string& added) {
  SuiteEvidence suite = suite_of(wobble(0, .001, 4));
  if (!missing.empty()) suite.base_benchmarks.push_back(missing);
  if (!added.empty()) suite.head_benchmarks.push_back(added);
  return run_of({suite});
}

RunEvidence base_fails_beside_unchanged() {
  SuiteEvidence suite = suite_named("gemm", {"a", "b"});
  add_pairs(suite, "a", wobble(0, .001, 4));
  suite.failures.push_back(failure(Verdict::crashed, Side::base));
  return run_of({suite});
}

RunEvidence wrong_check_case() {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.checks_ran = true;
  suite.checks_passed = false;
  CheckCase check;
  check.name = "odd sizes";
  check.fingerprint = "odd sizes/wrong_value/0.03125";
  suite.checks.push_back(check);
  return run_of({suite});
}

RunEvidence build_fails(BuildEnd base, BuildEnd head) {
  RunEvidence run;
  run.base_build = base;
  run.head_build = head;
  run.build_text = "first\ngemm.cpp:3: error: expected ';'\n\n";
  return run;
}

RunEvidence inputs_unchanged() {
  RunEvidence run;
  run.inputs_unchanged = true;
  return run;
}

RunEvidence identical() {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.identical = true;
  return run_of({suite});
}

RunEvidence without_base(SuiteEvidence suite) {
  suite.base_benchmarks.clear();
  suite.has_base = false;
  RunEvidence run = run_of({std::move(suite)});
  run.has_base = false;
  return run;
}

RunEvidence added_alone() {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.base_benchmarks.clear();
  return run_of({suite});
}

struct Case {
  const char* name;
  RunEvidence evidence;
  Conclusion conclusion;
  std::vector<Verdict> verdicts;
  std::string reason;  // "" is not compared
};

std::vector<Case> timed_cases() {
  using V = Verdict;
  using C = Conclusion;
  return {
      {"unchanged", timed(0, .001, 4), C::passed, {V::unchanged}, "within what is tolerated"},
      {"improved", timed(-.1, .001, 4), C::passed, {V::improved}, ""},
      {"regressed", timed(.1, .001, 4), C::regressed, {V::regressed}, ""},
      {"small regression warns",
       timed(.02, .0005, 4),
       C::passed,
       {V::regressed},
       "slower than is tolerated, but proven below the catch limit: the policy warns"},
      {"undecided", timed(0, .04, 16), C::undecided, {V::undecided}, ""},
      {"suspected", timed(.025, .02, 16), C::undecided, {V::suspected}, ""},
      {"regressed beats undecided", regressed_and_undecided(), C::regressed, {V::regressed, V::undecided}, ""},
      {"regressed beats infrastructure",
       with_infrastructure(timed(.1, .001, 4)),
       C::regressed,
       {V::regressed},
       "slower than base beyond what is tolerated"},
      {"infrastructure beats undecided",
       with_infrastructure(timed(0, .04, 16)),
       C::infrastructure,
       {V::undecided},
       "the disk is full"},
      {"missing warns", unchanged_beside("gone", ""), C::passed, {V::unchanged, V::missing}, ""},
      {"added", unchanged_beside("", "new"), C::passed, {V::unchanged, V::added}, ""},
      {"base fails", base_fails_beside_unchanged(), C::undecided, {V::unchanged, V::undecided}, ""},
  };
}

std::vector<Case> untimed_cases() {
  using V = Verdict;
  using C = Conclusion;
  return {
      {"broken", run_of({with_failure(V::broken)}), C::broken, {V::broken}, ""},
      {"crashed", run_of({with_failure(V::crashed)}), C::broken, {V::crashed}, ""},
      {"timed_out", run_of({with_failure(V::timed_out)}), C::broken, {V::timed_out}, ""},
      {"invalid", run_of({with_failure(V::invalid)}), C::broken, {V::invalid}, ""},
      {"base fails alone",
       run_of({with_failure(V::crashed, Side::base)}),
       C::infrastructure,
       {V::undecided},
       "nothing was timed"},
      {"wrong numbers of a check case", wrong_check_case(), C::broken, {V::broken}, ""},
      {"build failed", build_fails(BuildEnd::built, BuildEnd::failed), C::build_failed, {}, "head does not build"},
      {"base does not build",
       build_fails(BuildEnd::failed, BuildEnd::built),
       C::infrastructure,
       {},
       "base does not build"},
      {"inputs unchanged", inputs_unchanged(), C::passed, {}, "nothing_to_measure"},
      {"identical", identical(), C::passed, {V::identical}, "nothing_to_measure"},
      {"no base", without_base(suite_named("gemm", {"b"})), C::passed, {V::added}, "no_base"},
      {"no base and crashed", without_base(with_failure(V::crashed)), C::broken, {V::crashed}, ""},
      {"added only, with a base", added_alone(), C::infrastructure, {V::added}, "nothing was timed"},
      {"no pair", run_of({suite_named("gemm", {"b"})}), C::infrastructure, {V::undecided}, "nothing was timed"},
  };
}

TEST(DecideRun, EveryVerdictAndConclusionOfTheGlossary) {
  std::vector<Case> cases = timed_cases();
  for (Case& c : untimed_cases()) cases.push_back(std::move(c));
  for (const Case& c : cases) {
    const RunDecision got = decide_run(c.evidence, Policy{}, {});
    EXPECT_EQ(got.conclusion, c.conclusion) << c.name << ": " << got.reason;
    std::vector<Verdict> verdicts;
    for (const Comparison& comparison : got.comparisons) verdicts.push_back(comparison.verdict);
    EXPECT_EQ(verdicts, c.verdicts) << c.name;
    if (!c.reason.empty()) {
      EXPECT_EQ(got.reason, c.reason) << c.name;
    }
    EXPECT_FALSE(got.summary.empty()) << c.name;
  }
}

TEST(DecideRun, PolicyMayFailSmallAndMissing) {
  Policy policy;
  policy.small = OnFinding::fail;
  EXPECT_EQ(decide_run(run_of({suite_of(wobble(.02, .0005, 4))}), policy, {}).conclusion, Conclusion::regressed);
  SuiteEvidence suite = suite_of(wobble(0, .001, 4));
  suite.base_benchmarks.push_back("gone");
  policy = Policy{};
  policy.missing = OnFinding::fail;
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::regressed);
  policy.overrides.push_back(
      {.match = "gone", .tolerate = {}, .catch_limit = {}, .small = {}, .missing = OnFinding::warn});
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::passed);
}

TEST(DecideRun, ErrorGrowthWarnsOrBreaks) {
  SuiteEvidence suite = suite_of(wobble(-.08, .001, 4));
  for (Side side : {Side::base, Side::head}) {
    CheckCase check;
    check.side = side;
    check.name = "odd sizes";
    check.passed = true;
    check.rel_err = side == Side::base ? 1e-7 : 4e-7;
    suite.checks.push_back(check);
  }
  const RunDecision warned = decide_run(run_of({suite}), Policy{}, {});
  EXPECT_EQ(warned.conclusion, Conclusion::passed);
  EXPECT_THAT(warned.notices, ElementsAre(HasSubstr("error grew x4")));
  EXPECT_EQ(warned.summary, "1 improved (b -8.00 %, error x4)");
  ASSERT_EQ(warned.comparisons.size(), 1u);
  EXPECT_NEAR(warned.comparisons[0].error_factor.value(), 4, 1e-9);
  EXPECT_THAT(warned.comparisons[0].reason,
              AllOf(HasSubstr("-8.00 %"), HasSubstr("error grew x4, from 1e-07 to 4e-07")));
  Policy policy;
  policy.error_growth_action = OnFinding::fail;
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::broken);
  policy.error_growth = 5;
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::passed);
}

TEST(DecideRun, TheErrorOfABenchmarkIsThatOfItsOwnChecks) {
  SuiteEvidence suite = suite_named("gemm", {"gemm/atomics/64", "gemm/registers/64", "softmax/64"});
  for (const std::string& name : suite.head_benchmarks) add_pairs(suite, name, wobble(0, .001, 4));
  for (const auto& [name, head] : {std::pair{"gemm/atomics/square", 3e-7}, std::pair{"gemm/registers/square", 1e-7},
                                   std::pair{"gemm/registers/odd", 2e-7}})
    for (Side side : {Side::base, Side::head}) {
      CheckCase check;
      check.side = side;
      check.name = name;
      check.passed = true;
      check.rel_err = side == Side::base ? 1e-7 : head;
      suite.checks.push_back(check);
    }
  const RunDecision got = decide_run(run_of({suite}), Policy{}, {});
  ASSERT_EQ(got.comparisons.size(), 3u);
  EXPECT_NEAR(got.comparisons[0].error_factor.value(), 3, 1e-9);
  EXPECT_NEAR(got.comparisons[1].error_factor.value(), 2, 1e-9);
  EXPECT_NEAR(got.comparisons[2].error_factor.value(), 3, 1e-9);  // no check of its own: the suite's worst
}

TEST(DecideRun, SharedShiftIsSaidOnce) {
  SuiteEvidence suite = suite_named("gemm", {"a", "b", "c"});
  for (const char* name : {"a", "b", "c"}) add_pairs(suite, name, wobble(.05, .001, 4));
  const RunDecision got = decide_run(run_of({suite}), Policy{}, {});
  EXPECT_EQ(got.conclusion, Conclusion::regressed);
  EXPECT_THAT(got.notices, ElementsAre(HasSubstr("shared code or build")));
}

TEST(DecideRun, DisturbedProcessesThatWereKeptAreSaid) {
  SuiteEvidence suite = suite_of(wobble(0, .001, 4));
  suite.processes[0].disturbed = true;
  const RunDecision got = decide_run(run_of({suite}), Policy{}, {});
  EXPECT_THAT(got.notices, ElementsAre(HasSubstr("1 of 8 processes were disturbed")));
}

TEST(DecideRun, QValuesSpanTheRun) {
  SuiteEvidence one = suite_of(wobble(.1, .001, 4)), two = suite_of(wobble(0, .001, 4));
  two.name = "attention";
  const RunDecision alone = decide_run(run_of({one}), Policy{}, {});
  const RunDecision both = decide_run(run_of({one, two}), Policy{}, {});
  EXPECT_NEAR(*both.comparisons[0].q_value, 2 * *alone.comparisons[0].q_value, 1e-12);
  EXPECT_NEAR(both.expected_false_alarms, 0.002, 1e-12);  // two looks
}

TEST(DecideRun, SummaryNamesWhatMatters) {
  SuiteEvidence suite = suite_named("gemm", {"a", "b", "c"});
  add_pairs(suite, "a", wobble(.1, .001, 4));
  add_pairs(suite, "b", wobble(.2, .001, 4));
  add_pairs(suite, "c", wobble(0, .001, 4));
  const RunDecision got = decide_run(run_of({suite}), Policy{}, {});
  EXPECT_EQ(got.summary, "2 regressed (b +20.00 %), 1 unchanged");
}

TEST(DecideRun, BuildFailureShowsTheFirstErrorElseTheLastLine) {
  RunEvidence run = build_fails(BuildEnd::built, BuildEnd::failed);
  const auto summary = [&](const char* text) {
    run.build_text = text;
    return decide_run(run, Policy{}, {}).summary;
  };
  EXPECT_EQ(summary("first\ngemm.cpp:3: error: expected ';' \ngemm.cpp:9: error: no 'x'\nninja: build stopped.\n"),
            "head does not build: gemm.cpp:3: error: expected ';'");
  EXPECT_EQ(summary("first\nno space left on device\n\n"), "head does not build: no space left on device");
  EXPECT_EQ(summary("one"), "head does not build: one");
  EXPECT_EQ(summary("\n"), "head does not build");
}

}  // namespace run_test
}  // namespace kernelgate
