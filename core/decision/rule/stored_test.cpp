// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace stored_test {

using test::process_of;
using test::series_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// `count` sessions of `processes` that alternate about 1000 ns by `spread`, in logs.
StoredSessions sessions_of(const std::string& benchmark, int count, double spread, std::size_t processes = 2) {
  StoredSessions out{
      .suite = "gemm", .benchmark = benchmark, .baseline = "v1", .commit = "0123456789abcdef", .sessions = {}};
  for (int i = 0; i < count; ++i)
    out.sessions.emplace_back(processes, std::log(1000) + (i % 2 == 0 ? spread : -spread));
  return out;
}

Policy stored_policy() {
  Policy out;
  out.against = Against::stored;
  return out;
}

// One suite with base, the benchmarks "a" and "b", and 20 sessions of each.
RunEvidence run_of(int count = 20) {
  RunEvidence out;
  out.suites = {test::suite_named("gemm", {"a", "b"})};
  out.suites[0].stored = {sessions_of("a", count, .002), sessions_of("b", count, .002)};
  return out;
}

void add_head(SuiteEvidence& suite, double a_ns, double b_ns, int processes = 2) {
  for (int i = 0; i < processes; ++i)
    suite.processes.push_back(process_of(Side::head, i, {series_of("a", a_ns), series_of("b", b_ns)}, kScreenRound));
}

TEST(Stored, HeadComesFirstAndAlone) {
  RunEvidence run = run_of();
  SuiteEvidence& suite = run.suites[0];
  NextMeasurement next = next_measurement(suite, stored_policy(), {});
  EXPECT_TRUE(next.head_alone);
  EXPECT_EQ(next.round, kScreenRound);
  EXPECT_EQ(next.benchmarks, (std::vector<std::string>{"a", "b"}));
  add_head(suite, 1000, 1000, 1);
  EXPECT_EQ(next_measurement(suite, stored_policy(), {}).pair, 1);
  add_head(suite, 1000, 1000);
  EXPECT_TRUE(next_measurement(suite, stored_policy(), {}).done);
}

TEST(Stored, WhatIsClearedTakesNoPairs) {
  RunEvidence run = run_of();
  add_head(run.suites[0], 1000, 1000);
  const RunDecision decision = decide_run(run, stored_policy(), {});
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  for (const Comparison& comparison : decision.comparisons) {
    EXPECT_EQ(comparison.verdict, Verdict::unchanged);
    EXPECT_EQ(comparison.against, Against::stored);
    EXPECT_EQ(comparison.pairs, 0);
    EXPECT_NEAR(*comparison.ratio, 1, 1e-9);
    EXPECT_LT(*comparison.ratio_high, 1.03);
    EXPECT_THAT(comparison.reason, HasSubstr("2 processes against 20 stored sessions"));
  }
  EXPECT_THAT(decision.notices, Contains(HasSubstr("v1 (20 sessions of 0123456789) cleared 2 of 2 benchmarks")));
  // Each would have taken 4 pairs, so 8 timings, without a stored variance; each process here took half a second for
  // two.
  EXPECT_THAT(decision.notices, Contains(HasSubstr("12 more timings of single benchmarks were not taken, 3.0 s")));
  EXPECT_THAT(decision.notices, Contains(HasSubstr("against a stored baseline: of simulated benchmarks")));
}

TEST(Stored, WhatIsNotClearedGoesToPairs) {
  RunEvidence run = run_of();
  SuiteEvidence& suite = run.suites[0];
  add_head(suite, 1000, 1060);
  const NextMeasurement next = next_measurement(suite, stored_policy(), {});
  EXPECT_FALSE(next.head_alone);
  EXPECT_EQ(next.round, 0);
  EXPECT_EQ(next.pair, 0);
  EXPECT_EQ(next.benchmarks, (std::vector<std::string>{"b"}));
  // In pairs it shows that the machine has become slower, and not the code.
  test::add_pairs(suite, "b", test::wobble(0, .001, 4));
  const RunDecision decision = decide_run(run, stored_policy(), {});
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(decision.comparisons[1].against, Against::pairs);
  EXPECT_EQ(decision.comparisons[1].verdict, Verdict::unchanged);
  EXPECT_THAT(decision.comparisons[1].reason, HasSubstr("not cleared by the stored baseline: +6.00 %"));
}

TEST(Stored, ASlowerHeadWithoutBaseFailsWhereThePolicySaysSo) {
  RunEvidence run = run_of();
  run.base_build = BuildEnd::failed;
  SuiteEvidence& suite = run.suites[0];
  suite.has_base = false;
  suite.base_benchmarks.clear();
  add_head(suite, 1000, 1060);
  Policy policy;
  RunDecision decision = decide_run(run, policy, {});
  EXPECT_EQ(decision.conclusion, Conclusion::undecided);
  EXPECT_EQ(decision.comparisons[1].verdict, Verdict::suspected);
  EXPECT_THAT(decision.comparisons[1].reason, HasSubstr("environment or shared code"));
  EXPECT_TRUE(next_measurement(suite, policy, {}).done);
  policy.stored = OnFinding::fail;
  decision = decide_run(run, policy, {});
  EXPECT_EQ(decision.conclusion, Conclusion::regressed);
  EXPECT_EQ(decision.comparisons[1].verdict, Verdict::regressed);
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::unchanged);
}

TEST(Stored, TooFewSessionsAreSaidAndPairsAreTaken) {
  RunEvidence run = run_of(19);
  SuiteEvidence& suite = run.suites[0];
  const NextMeasurement next = next_measurement(suite, stored_policy(), {});
  EXPECT_FALSE(next.head_alone);
  EXPECT_EQ(next.benchmarks.size(), 2u);
  EXPECT_THAT(decide_run(run, stored_policy(), {}).notices,
              Contains(HasSubstr("20 sessions of at least 2 processes are")));
  suite.has_base = false;
  EXPECT_TRUE(next_measurement(suite, stored_policy(), {}).done);
  const RunDecision decision = decide_run(run, stored_policy(), {});
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::undecided);
  EXPECT_THAT(decision.comparisons[0].reason, HasSubstr("has 19 sessions of it: 20 are needed"));
  suite.stored.clear();
  suite.has_base = true;
  EXPECT_THAT(decide_run(run, stored_policy(), {}).notices, Contains(HasSubstr("no stored baseline in this epoch")));
}

TEST(Stored, SessionsThatCannotCountAreLeftOut) {
  RunEvidence run = run_of();
  run.suites[0].stored[0].sessions[3].pop_back();
  run.suites[0].stored[1].sessions[4][0] = std::nan("");
  const StoredTable table(run.suites[0], stored_policy());
  EXPECT_EQ(table.wanted("a"), 0);
  EXPECT_EQ(table.wanted("b"), 0);
  EXPECT_EQ(table.sessions("a")->sessions.size(), 19u);
  EXPECT_EQ(table.wanted("c"), 0);
}

TEST(Stored, LongerSessionsAskForAsManyProcessesOfHead) {
  SuiteEvidence suite = test::suite_named("gemm", {"a"});
  suite.stored = {sessions_of("a", 20, .002, 3)};
  EXPECT_EQ(StoredTable(suite, stored_policy()).wanted("a"), 3);
}

TEST(Stored, FilesThatASessionHasNoCounterpartOfAreSaid) {
  RunEvidence run = run_of();
  SuiteEvidence& suite = run.suites[0];
  suite.recorded = true;
  suite.has_base = false;
  add_head(suite, 1000, 1000, 8);
  RunDecision decision = decide_run(run, stored_policy(), {});
  EXPECT_THAT(decision.comparisons[0].reason, HasSubstr("2 processes against 20 stored sessions (2 of 8 processes"));
  EXPECT_THAT(decision.notices, Contains(HasSubstr("cleared 2 of 2 benchmarks; 2 of 8 processes of head used")));
  for (StoredSessions& sessions : suite.stored) sessions = sessions_of(sessions.benchmark, 20, .002, 9);
  decision = decide_run(run, stored_policy(), {});  // fewer files than a session has: all that there are judge
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_THAT(decision.comparisons[0].reason, HasSubstr("of 8 processes against 20 stored sessions"));
  EXPECT_THAT(decision.notices, Not(Contains(HasSubstr("used"))));
}

TEST(Stored, MwuCliffJudgesOnceWithAllProcesses) {
  RunEvidence run = run_of(4);  // eight processes are enough for ranks
  SuiteEvidence& suite = run.suites[0];
  Policy policy = stored_policy();
  policy.rule = Rule::mwu_cliff;
  policy.max_pairs = 8;
  policy.stored = OnFinding::fail;
  suite.has_base = false;
  add_head(suite, 1001, 1050, 7);
  EXPECT_EQ(next_measurement(suite, policy, {}).pair, 7);
  suite.processes.clear();
  add_head(suite, 1001, 1050, 8);
  EXPECT_TRUE(next_measurement(suite, policy, {}).done);
  const RunDecision decision = decide_run(run, policy, {});
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(decision.comparisons[1].verdict, Verdict::regressed);
  EXPECT_LT(*decision.comparisons[1].mwu_p, .05);
  EXPECT_EQ(*decision.comparisons[1].cliffs_delta, 1);
  EXPECT_LT(*decision.comparisons[0].minimum_detectable, .03);
  EXPECT_EQ(decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(decision.notices, Contains(HasSubstr("rule mwu_cliff against a stored baseline")));
}

TEST(Stored, NothingIsClearedThatCouldNotBeDetected) {
  RunEvidence run = run_of(20);
  SuiteEvidence& suite = run.suites[0];
  add_head(suite, 1000, 1000);
  const std::vector<StoredVariance> calibrated{
      {.suite = "gemm", .benchmark = "b", .variance = 0, .degrees = 0, .detectable = .04}};
  EXPECT_EQ(next_measurement(suite, stored_policy(), calibrated).benchmarks, (std::vector<std::string>{"b"}));
  suite.has_base = false;
  const RunDecision decision = decide_run(run, stored_policy(), calibrated);
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(decision.comparisons[1].verdict, Verdict::undecided);
  Policy ranks = stored_policy();
  ranks.rule = Rule::mwu_cliff;
  ranks.max_pairs = 4;
  suite.stored = {sessions_of("a", 4, .02), sessions_of("b", 4, .001)};
  suite.processes.clear();
  add_head(suite, 1000, 1000, 4);
  const RunDecision by_ranks = decide_run(run, ranks, {});
  EXPECT_EQ(by_ranks.comparisons[0].verdict, Verdict::undecided);
  EXPECT_EQ(by_ranks.comparisons[1].verdict, Verdict::unchanged);
}

TEST(Stored, AWholeSuiteThatMovedMayBeTheEnvironment) {
  RunEvidence run;
  run.suites = {test::suite_named("gemm", {"a", "b", "c"})};
  SuiteEvidence& suite = run.suites[0];
  suite.has_base = false;
  std::vector<Series> series;
  for (const char* name : {"a", "b", "c"}) {
    suite.stored.push_back(sessions_of(name, 20, .001));
    series.push_back(series_of(name, 1020));
  }
  for (int i = 0; i < 2; ++i) suite.processes.push_back(process_of(Side::head, i, series, kScreenRound));
  EXPECT_THAT(decide_run(run, stored_policy(), {}).notices,
              Contains(HasSubstr("3 benchmarks moved by +2.00 %: environment or shared code")));
}

TEST(Stored, SessionsAreAttachedWhereTheyMayBeUsed) {
  const std::vector<StoredSessions> sessions{sessions_of("a", 20, .001)};
  SuiteEvidence suite = test::suite_named("gemm", {"a"});
  attach_stored(suite, sessions, Policy{}, BuildEnd::built);
  EXPECT_TRUE(suite.stored.empty());
  attach_stored(suite, sessions, Policy{}, BuildEnd::failed);
  EXPECT_EQ(suite.stored.size(), 1u);
  attach_stored(suite, sessions, stored_policy(), BuildEnd::built);
  EXPECT_EQ(suite.stored.size(), 1u);
  suite.name = "other";
  attach_stored(suite, sessions, stored_policy(), BuildEnd::built);
  EXPECT_TRUE(suite.stored.empty());
  EXPECT_TRUE(can_judge_any(sessions, Policy{}));
  EXPECT_FALSE(can_judge_any({}, Policy{}));
}

}  // namespace stored_test
}  // namespace kernelgate
