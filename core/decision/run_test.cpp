// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "core/decision/test_evidence.hpp"

namespace kernelgate {
namespace {

using test::add_pairs;
using test::suite_named;
using test::suite_of;
using test::wobble;
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

struct Case {
  const char* name;
  std::function<RunEvidence()> evidence;
  Conclusion conclusion;
  std::vector<Verdict> verdicts;
  std::string reason;  // "" is not compared
};

SuiteEvidence with_failure(Verdict verdict, Side side = Side::head) {
  SuiteEvidence out = suite_named("gemm", {"b"});
  out.failures.push_back(failure(verdict, side));
  return out;
}

std::vector<Case> timed_cases() {
  return {
      {"unchanged",
       [] { return run_of({suite_of(wobble(0, .001, 4))}); },
       Conclusion::passed,
       {Verdict::unchanged},
       ""},
      {"improved",
       [] { return run_of({suite_of(wobble(-.1, .001, 4))}); },
       Conclusion::passed,
       {Verdict::improved},
       ""},
      {"regressed",
       [] { return run_of({suite_of(wobble(.1, .001, 4))}); },
       Conclusion::regressed,
       {Verdict::regressed},
       ""},
      {"small regression warns",
       [] { return run_of({suite_of(wobble(.02, .0005, 4))}); },
       Conclusion::passed,
       {Verdict::regressed},
       ""},
      {"undecided",
       [] { return run_of({suite_of(wobble(0, .04, 16))}); },
       Conclusion::undecided,
       {Verdict::undecided},
       ""},
      {"suspected",
       [] { return run_of({suite_of(wobble(.025, .02, 16))}); },
       Conclusion::undecided,
       {Verdict::suspected},
       ""},
      {"regressed beats undecided",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"a", "b"});
         add_pairs(suite, "a", wobble(.1, .001, 4));
         add_pairs(suite, "b", wobble(0, .04, 16));
         return run_of({suite});
       },
       Conclusion::regressed,
       {Verdict::regressed, Verdict::undecided},
       ""},
      {"regressed beats infrastructure",
       [] {
         RunEvidence run = run_of({suite_of(wobble(.1, .001, 4))});
         run.infrastructure = "the disk is full";
         return run;
       },
       Conclusion::regressed,
       {Verdict::regressed},
       ""},
      {"infrastructure beats undecided",
       [] {
         RunEvidence run = run_of({suite_of(wobble(0, .04, 16))});
         run.infrastructure = "the disk is full";
         return run;
       },
       Conclusion::infrastructure,
       {Verdict::undecided},
       "the disk is full"},
      {"missing warns beside a timed one",
       [] {
         SuiteEvidence suite = suite_of(wobble(0, .001, 4));
         suite.base_benchmarks.push_back("gone");
         return run_of({suite});
       },
       Conclusion::passed,
       {Verdict::unchanged, Verdict::missing},
       ""},
      {"added beside a timed one",
       [] {
         SuiteEvidence suite = suite_of(wobble(0, .001, 4));
         suite.head_benchmarks.push_back("new");
         return run_of({suite});
       },
       Conclusion::passed,
       {Verdict::unchanged, Verdict::added},
       ""},
      {"base fails, another is timed",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"a", "b"});
         add_pairs(suite, "a", wobble(0, .001, 4));
         suite.failures.push_back(failure(Verdict::crashed, Side::base));
         return run_of({suite});
       },
       Conclusion::undecided,
       {Verdict::unchanged, Verdict::undecided},
       ""},
  };
}

std::vector<Case> untimed_cases() {
  return {
      {"broken", [] { return run_of({with_failure(Verdict::broken)}); }, Conclusion::broken, {Verdict::broken}, ""},
      {"crashed", [] { return run_of({with_failure(Verdict::crashed)}); }, Conclusion::broken, {Verdict::crashed}, ""},
      {"timed_out",
       [] { return run_of({with_failure(Verdict::timed_out)}); },
       Conclusion::broken,
       {Verdict::timed_out},
       ""},
      {"invalid", [] { return run_of({with_failure(Verdict::invalid)}); }, Conclusion::broken, {Verdict::invalid}, ""},
      {"base fails alone",
       [] { return run_of({with_failure(Verdict::crashed, Side::base)}); },
       Conclusion::infrastructure,
       {Verdict::undecided},
       "nothing was timed"},
      {"wrong numbers of a check case",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"b"});
         suite.checks_ran = true;
         suite.checks_passed = false;
         CheckCase check;
         check.name = "odd sizes";
         check.fingerprint = "odd sizes/wrong_value/0.03125";
         suite.checks.push_back(check);
         return run_of({suite});
       },
       Conclusion::broken,
       {Verdict::broken},
       ""},
      {"build failed",
       [] {
         RunEvidence run;
         run.head_build = BuildEnd::failed;
         run.build_text = "gemm.cpp:3: error: expected ';'\n";
         return run;
       },
       Conclusion::build_failed,
       {},
       "head does not build"},
      {"inputs unchanged",
       [] {
         RunEvidence run;
         run.inputs_unchanged = true;
         return run;
       },
       Conclusion::passed,
       {},
       "nothing_to_measure"},
      {"identical",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"b"});
         suite.identical = true;
         return run_of({suite});
       },
       Conclusion::passed,
       {Verdict::identical},
       "nothing_to_measure"},
      {"no base",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"b"});
         suite.base_benchmarks.clear();
         suite.has_base = false;
         RunEvidence run = run_of({suite});
         run.has_base = false;
         return run;
       },
       Conclusion::passed,
       {Verdict::added},
       "no_base"},
      {"no base and broken",
       [] {
         SuiteEvidence suite = with_failure(Verdict::crashed);
         suite.has_base = false;
         RunEvidence run = run_of({suite});
         run.has_base = false;
         return run;
       },
       Conclusion::broken,
       {Verdict::crashed},
       ""},
      {"added only, though there is a base",
       [] {
         SuiteEvidence suite = suite_named("gemm", {"b"});
         suite.base_benchmarks.clear();
         return run_of({suite});
       },
       Conclusion::infrastructure,
       {Verdict::added},
       "nothing was timed"},
      {"base does not build",
       [] {
         RunEvidence run;
         run.base_build = BuildEnd::failed;
         return run;
       },
       Conclusion::infrastructure,
       {},
       "base does not build"},
      {"no pair was completed",
       [] { return run_of({suite_named("gemm", {"b"})}); },
       Conclusion::infrastructure,
       {Verdict::undecided},
       "nothing was timed"},
  };
}

TEST(DecideRun, EveryVerdictAndConclusionOfTheGlossary) {
  std::vector<Case> cases = timed_cases();
  for (Case& c : untimed_cases()) cases.push_back(std::move(c));
  for (const Case& c : cases) {
    const RunDecision got = decide_run(c.evidence(), Policy{}, {});
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
  Policy policy;
  policy.error_growth_action = OnFinding::fail;
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::broken);
  policy.error_growth = 5;
  EXPECT_EQ(decide_run(run_of({suite}), policy, {}).conclusion, Conclusion::passed);
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

TEST(DecideRun, BuildFailureShowsItsLastLine) {
  RunEvidence run;
  run.head_build = BuildEnd::failed;
  run.build_text = "first\ngemm.cpp:3: error: expected ';'\n\n";
  EXPECT_EQ(decide_run(run, Policy{}, {}).summary, "head does not build: gemm.cpp:3: error: expected ';'");
}

}  // namespace
}  // namespace kernelgate
