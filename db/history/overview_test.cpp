// SPDX-License-Identifier: Apache-2.0
// What the overview's queries count, and what they leave out: other branches, forks, epochs, repositories.
#include "db/history/overview.hpp"

#include <gmock/gmock.h>

#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/quarantines.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace overview_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Judged {
  std::string branch = "main", source = "cli", driver = "1", bed = "bed";
  Conclusion conclusion = Conclusion::passed;
  bool is_fork = false;
  std::optional<RepositoryId> repository{};
};

class OverviewTest : public StoreTest {
 protected:
  RunId begun(const Judged& how) {
    NewRun run{.repository = how.repository.value_or(repository), .commit = hash_of(++commits_)};
    run.branch = how.branch;
    run.source = how.source;
    run.queued = false;
    run.idempotency_key = std::to_string(commits_);
    if (how.is_fork) run.pull_request = {.number = 7, .target = "main", .head_repository = "eve/k", .fork = true};
    const RunId id = add_run(connection, run, at(commits_))->id;
    wire::TestbedFacts facts;
    facts.name = how.bed;
    facts.driver = how.driver;
    EXPECT_TRUE(set_epoch(connection, id, enter_epoch(connection, facts, at(0)), how.bed + "'s runner"));
    return id;
  }
  RunId judged(const Judged& how, std::vector<Comparison> comparisons = {}) {
    const RunId id = begun(how);
    finish(id, how.conclusion, std::move(comparisons));
    return id;
  }
  static Comparison timed(Verdict verdict, double base_ns, double head_ns, const std::string& benchmark = "b") {
    Comparison out = comparison(benchmark, verdict, 7);
    out.ratio = head_ns / base_ns;
    out.base_median_ns = base_ns;
    out.head_median_ns = head_ns;
    out.tolerate = 0.02;
    out.catch_limit = 0.06;
    return out;
  }
  RunId slower(Judged how = {}, double head_ns = 110) {
    how.conclusion = Conclusion::regressed;
    return judged(how, {timed(Verdict::regressed, 100, head_ns)});
  }
  std::size_t open(std::int64_t seconds = 2000) { return open_regressions(connection, at(seconds)).size(); }
  RepositoryId another(const std::string& name, const std::string& branch = "main") {
    return *add_repository(connection,
                           {.name = name, .url = "file:///" + name, .default_branch = branch, .manifest = {}}, at(0));
  }
  int commits_ = 0;
};

// A run that is not the state of the default branch, and whether each of the overview's parts shows it.
struct Aside {
  const char* name;
  Judged how;
};
const Aside kAside[] = {
    {"AnotherBranch", {.branch = "topic"}},
    {"AFork", {.is_fork = true}},
};
class RunsAside : public OverviewTest, public testing::WithParamInterface<Aside> {};
INSTANTIATE_TEST_SUITE_P(Overview, RunsAside, testing::ValuesIn(kAside),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(RunsAside, AreNoStateOfTheDefaultBranch) {
  Judged how = GetParam().how;
  slower(how);
  how.conclusion = Conclusion::broken;
  judged(how, {comparison("wrong", Verdict::broken)});
  EXPECT_THAT(recent_runs(connection), IsEmpty());
  EXPECT_EQ(open(), 0U);
  EXPECT_THAT(broken_kernels(connection), IsEmpty());
  EXPECT_FALSE(newest_conclusion(connection, repository));
}

TEST_P(RunsAside, MendNothingOnIt) {
  slower();
  judged({.conclusion = Conclusion::broken}, {comparison("wrong", Verdict::broken)});
  judged(GetParam().how, {timed(Verdict::improved, 110, 100)});
  EXPECT_EQ(open(), 1U);
  EXPECT_THAT(broken_kernels(connection), SizeIs(1));
  EXPECT_EQ(newest_conclusion(connection, repository), Conclusion::broken);
}

TEST_F(OverviewTest, RepositoriesOfTheSameBranchAndBenchmarkStandApart) {
  const RepositoryId other = another("other"), trunk = another("trunk", "trunk");
  slower();
  judged({.repository = other}, {timed(Verdict::improved, 110, 100)});
  slower({.repository = trunk});  // its branch main is not its default branch
  ASSERT_EQ(open(), 1U);
  EXPECT_EQ(open_regressions(connection, at(2000))[0].repository, "kernels");
  std::vector<std::string> names;
  for (const RecentRun& run : recent_runs(connection)) names.push_back(run.repository);
  EXPECT_THAT(names, ElementsAre("kernels", "other"));
  EXPECT_EQ(newest_conclusion(connection, other), Conclusion::passed);
  EXPECT_FALSE(newest_conclusion(connection, trunk));
}

TEST_F(OverviewTest, OfRecentRunsTheNewestOfEachTestbedAreKept) {
  for (int i = 0; i <= kRecentRuns; ++i) judged({});
  const RunId other = judged({.bed = "slow bed"});
  judged({.source = "remeasure"});
  ASSERT_TRUE(cancel_run(connection, begun({}), "not needed", at(5)));
  (void)begun({});
  const auto recent = recent_runs(connection);
  ASSERT_THAT(recent, SizeIs(kRecentRuns + 1));
  EXPECT_EQ(recent[0].commit, hash_of(kRecentRuns + 1));
  EXPECT_EQ(recent[kRecentRuns - 1].commit, hash_of(2)) << "the oldest is left out";
  EXPECT_EQ(recent[kRecentRuns].run, other);
  EXPECT_EQ(recent[kRecentRuns].testbed, "slow bed");
}

TEST_F(OverviewTest, ARegressionIsMendedHalfWayDown) {
  slower({}, 121);  // from 100: half way, by ratio, is 110
  judged({}, {timed(Verdict::unchanged, 121, 110)});
  EXPECT_EQ(open(), 1U);
  judged({.conclusion = Conclusion::infrastructure}, {timed(Verdict::undecided, 121, 100)});
  EXPECT_EQ(open(), 1U) << "a run that failed for its machine says nothing";
  Comparison untimed = timed(Verdict::unchanged, 121, 100);
  untimed.degrees = 0;
  judged({}, {untimed});
  EXPECT_EQ(open(), 1U) << "nor does one without pairs";
  judged({}, {timed(Verdict::improved, 121, 109.9)});
  EXPECT_EQ(open(), 0U);
  judged({}, {timed(Verdict::unchanged, 110, 121)});
  EXPECT_EQ(open(), 1U) << "and it is back";
}

TEST_F(OverviewTest, ARegressionOfAnEarlierEpochIsNoLongerShown) {
  slower();
  EXPECT_EQ(open(), 1U);
  (void)epoch("2");
  EXPECT_EQ(open(), 0U);
  const auto again = slower({.driver = "2"}, 130);
  ASSERT_EQ(open(), 1U);
  EXPECT_EQ(open_regressions(connection, at(2000))[0].run, again);
}

TEST_F(OverviewTest, OfOneBenchmarkTheNewestRegressionIsShownWithItsBand) {
  slower();
  const RunId second = slower({}, 130);
  const auto found = open_regressions(connection, at(2000));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].run, second);
  EXPECT_EQ(found[0].commit, hash_of(2));
  EXPECT_EQ(found[0].ratio, 1.3);
  EXPECT_EQ(found[0].tolerate, 0.02);
  EXPECT_EQ(found[0].catch_limit, 0.06);
  EXPECT_EQ(found[0].found_at, at(1000));
}

TEST_F(OverviewTest, NoMoreRegressionsAreShownThanAnybodyReads) {
  std::vector<Comparison> all;
  for (int i = 0; i < limits::kOpenRegressionsMax + 1; ++i)
    all.push_back(timed(Verdict::regressed, 100, 110, "b" + std::to_string(i)));
  judged({.conclusion = Conclusion::regressed}, all);
  const auto found = open_regressions(connection, at(2000));
  ASSERT_THAT(found, SizeIs(limits::kOpenRegressionsMax));
  EXPECT_EQ(found[0].benchmark, "b0") << "in the order of the run";
}

// Acceptances of the regression from 100 to 110 ns, and whether it is open at second 2000.
struct Accepted {
  const char* name;
  double head_ns = 110;  // level that was accepted
  std::optional<std::int64_t> pull_request{};
  std::optional<std::int64_t> expires_s{};
  bool is_merged = false, is_revoked = false, is_of_another_epoch = false;
  std::size_t open = 0;
};
const Accepted kAccepted[] = {
    {.name = "ForEveryRun"},
    {.name = "ALittleBelow", .head_ns = 106},  // 4 % of room: between what is tolerated and what is caught
    {.name = "FarBelow", .head_ns = 105, .open = 1},
    {.name = "Expired", .expires_s = 2000, .open = 1},
    {.name = "NotYetExpired", .expires_s = 2001},
    {.name = "Revoked", .is_revoked = true, .open = 1},
    {.name = "OfAnotherEpoch", .is_of_another_epoch = true, .open = 1},
    {.name = "OfAPullRequest", .pull_request = 7, .open = 1},
    {.name = "OfAMergedPullRequest", .pull_request = 7, .is_merged = true},
};
class AcceptedRegressions : public OverviewTest, public testing::WithParamInterface<Accepted> {};
INSTANTIATE_TEST_SUITE_P(Overview, AcceptedRegressions, testing::ValuesIn(kAccepted),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(AcceptedRegressions, AreOpenWhereTheAcceptanceDoesNotReach) {
  const Accepted& how = GetParam();
  const EpochId before = epoch("0");
  const RunId run = slower();
  auto regressed = regressed_benchmarks(connection, run);
  ASSERT_THAT(regressed, SizeIs(1));
  regressed[0].head_median_ns = how.head_ns;
  Acceptance wanted{.repository = repository, .run = run, .match = ".*", .actor = "ann", .reason = "needed"};
  wanted.pull_request = how.pull_request;
  if (how.expires_s) wanted.expires_at = at(*how.expires_s);
  const auto id =
      add_acknowledgement(connection, wanted, how.is_of_another_epoch ? before : epoch(), regressed, at(1500));
  if (how.is_merged) connection.run("UPDATE acknowledgements SET merged_at = ? WHERE id = ?", at(1600), id);
  if (how.is_revoked)
    put_revocation(connection, {.repository = repository, .id = id, .actor = "bob", .reason = "fixed"}, at(1600));
  EXPECT_EQ(open(), how.open);
}

TEST_F(OverviewTest, AQuarantineOfAnotherEpochHidesNothing) {
  const EpochId before = epoch("0");
  slower();
  const auto benchmark = find_benchmark(connection, repository, "s", "b");
  ASSERT_TRUE(benchmark);
  NewQuarantine aside{.repository = repository, .suite = "s", .benchmark = "b", .actor = "ann", .reason = "noisy"};
  aside.epoch = before;
  (void)add_quarantine(connection, aside, *benchmark, at(1));
  EXPECT_EQ(open(), 1U);
  aside.epoch = epoch();
  const auto id = add_quarantine(connection, aside, *benchmark, at(2));
  EXPECT_EQ(open(), 0U);
  put_release(connection, {.repository = repository, .id = id, .actor = "ann", .reason = "steady"}, at(3));
  EXPECT_EQ(open(), 1U);
}

TEST_F(OverviewTest, KernelsAreBrokenByTheNewestRunOfEachTestbed) {
  const Verdict kinds[] = {Verdict::broken, Verdict::crashed, Verdict::timed_out, Verdict::invalid};
  std::vector<Comparison> all{comparison("good", Verdict::unchanged), comparison("slow", Verdict::regressed)};
  for (const Verdict verdict : kinds) all.push_back(comparison(std::string(to_string(verdict)), verdict));
  judged({.conclusion = Conclusion::broken}, all);
  std::vector<Verdict> found;
  for (const BrokenKernel& one : broken_kernels(connection)) found.push_back(one.verdict);
  EXPECT_THAT(found, testing::ElementsAreArray(kinds));
  judged({.bed = "slow bed", .conclusion = Conclusion::broken}, {comparison("wrong", Verdict::broken)});
  judged({.conclusion = Conclusion::build_failed});
  judged({.conclusion = Conclusion::infrastructure});
  judged({.source = "remeasure"});
  EXPECT_THAT(broken_kernels(connection), SizeIs(5)) << "these measured nothing of the branch";
  judged({});
  const auto left = broken_kernels(connection);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].testbed, "slow bed");
}

TEST_F(OverviewTest, ARunnerIsSeenAtItsNewestRun) {
  judged({});
  const RunId busy = begun({});
  judged({.bed = "other"});
  const auto seen = runners_seen(connection);
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen[0].name, "bed's runner");
  EXPECT_EQ(seen[0].run, busy);
  EXPECT_EQ(seen[1].testbed, "other");
  EXPECT_EQ(seen[1].state, RunState::done);
}

TEST_F(OverviewTest, WhatWasSpentCountsRunsThatEndedSince) {
  const auto spent = [&](const std::string& state, std::int64_t end_s) {
    const RunId id = begun({});
    Process one = process("p" + std::to_string(id.value), Side::head, 0, {1, 2});
    one.state_json = state;
    ASSERT_TRUE(put_process(connection, id, one, at(1)));
    FinishedRun end;
    end.decision.conclusion = Conclusion::passed;
    end.gpu_s_held = 1800;
    end.gpu_s_used = 900;
    ASSERT_TRUE(finish_run(connection, id, end, at(end_s)));
  };
  spent(R"({"price_per_hour": 4})", 99);
  EXPECT_EQ(spent_since(connection, at(100)).runs, 0);
  spent("{}", 100);
  EXPECT_FALSE(spent_since(connection, at(100)).cost) << "nobody said a price";
  spent(R"({"price_per_hour": 3})", 101);
  (void)begun({});
  const Spent found = spent_since(connection, at(100));
  EXPECT_EQ(found.runs, 2);
  EXPECT_EQ(found.gpu_s_held, 3600);
  EXPECT_EQ(found.gpu_s_used, 1800);
  EXPECT_EQ(found.cost, 1.5) << "of the run with a price alone";
}

TEST_F(OverviewTest, ThePaceCountsPairsOfBothSidesAndTheLastDurationsOfTheRepository) {
  const RepositoryId other = another("other");
  const auto lasted = [&](RunId id, int seconds) {
    connection.run("UPDATE runs SET started_at = ?, finished_at = ? WHERE id = ?", at(0), at(seconds), id);
  };
  lasted(judged({.repository = other}), 9000);
  lasted(judged({}), 8000);  // older than the nine that are looked at
  for (int i = 0; i < 9; ++i) lasted(judged({}), i < 5 ? 100 : 200);
  const RunId copy = begun({});
  ASSERT_TRUE(finish_reused(connection, copy, RunId{2}, at(7000)));
  const RunId id = begun({});
  lasted(judged({}), 7000);  // after it
  const auto put = [&](const char* name, Side side, int pair) {
    ASSERT_TRUE(put_process(connection, id, process(name, side, pair, {1}), at(1)));
  };
  put("b0", Side::base, 0);
  EXPECT_EQ(pace_of(connection, id).pairs, 0);
  put("h0", Side::head, 0);
  put("h1", Side::head, 1);
  EXPECT_EQ(pace_of(connection, id).pairs, 1);
  EXPECT_EQ(pace_of(connection, id).expected_s, 100);
  connection.run("UPDATE processes SET superseded = 1 WHERE run_id = ?", id);
  EXPECT_EQ(pace_of(connection, id).pairs, 0);
  EXPECT_FALSE(pace_of(connection, RunId{1}).expected_s) << "the first of its repository";
}

TEST_F(OverviewTest, AFailureIsSeenOnceARunInItsRepositoryNewestFirst) {
  const auto wrong = [](const std::string& benchmark, const std::string& fingerprint) {
    Comparison out = comparison(benchmark, Verdict::broken);
    out.fingerprint = fingerprint;
    return out;
  };
  const Judged broken{.branch = "topic", .conclusion = Conclusion::broken};
  const RunId first = judged(broken, {wrong("b", "f"), wrong("c", "f")}), second = judged(broken, {wrong("b", "f")});
  judged(broken, {wrong("b", "g")});
  judged({.conclusion = Conclusion::passed}, {wrong("b", "f")});
  Judged elsewhere = broken;
  elsewhere.repository = another("other");
  judged(elsewhere, {wrong("b", "f")});
  const auto seen = failures_seen(connection, repository, "f", 10);
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen[0].run, second);
  EXPECT_EQ(seen[1].run, first);
  EXPECT_EQ(seen[1].branch, "topic");
  EXPECT_THAT(failures_seen(connection, repository, "f", 1), SizeIs(1));
}

}  // namespace overview_test
}  // namespace kernelgate::db
