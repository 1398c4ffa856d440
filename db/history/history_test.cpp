// SPDX-License-Identifier: Apache-2.0
// Points of history as they are written when a run ends, and as they are listed.
#include "db/history/history.hpp"

#include <gmock/gmock.h>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace history_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class History : public StoreTest {
 protected:
  void put(RunId run, int pair, std::vector<double> samples, Side side = Side::head, int round = 0, int redo = 0) {
    Process one = process("p" + std::to_string(++processes_), side, pair, std::move(samples));
    one.round = round;
    one.attempt = redo;
    const auto stored = put_process(connection, run, one, at(1));
    ASSERT_TRUE(stored) << to_string(stored.error());
  }
  // A run of one process that took `ns`.
  RunId measured(int commit, double ns, const std::string& branch = "main", bool is_fork = false) {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = branch;
    run.queued = false;
    run.idempotency_key = std::to_string(++processes_);
    if (is_fork) run.pull_request = {.number = 7, .target = "main", .head_repository = "eve/k", .fork = true};
    const RunId id = add_run(connection, run, at(commit))->id;
    EXPECT_TRUE(set_epoch(connection, id, epoch(), "r"));
    put(id, 0, {ns});
    finish(id, Conclusion::passed, {comparison("b", Verdict::unchanged)});
    return id;
  }
  std::vector<HistoryPoint> points(const std::string& branch = {}, const Page& page = {}) {
    return list_history(
        connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = branch, .epoch = {}}, page);
  }
  static std::vector<double> medians(const std::vector<HistoryPoint>& points) {
    std::vector<double> out;
    for (const HistoryPoint& one : points) out.push_back(one.median_ns);
    return out;
  }
  int processes_ = 0;
};

TEST_F(History, APointIsTheMedianOfHeadsProcessesWithTheirSpread) {
  const RunId run = working_run(1);
  put(run, 0, {10, 11, 12});
  put(run, 1, {20, 21, 22, 23, 24});
  put(run, 2, {13});
  put(run, 2, {9}, Side::base);
  Comparison judged = comparison("b", Verdict::improved);
  judged.ratio = 0.9;
  judged.ratio_low = 0.8;
  judged.ratio_high = 0.95;
  finish(run, Conclusion::passed, {judged});
  const auto found = points();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].median_ns, 13);
  EXPECT_EQ(found[0].spread_ns, 11);
  EXPECT_EQ(found[0].processes, 3);
  EXPECT_EQ(found[0].samples, 9);
  EXPECT_EQ(found[0].verdict, Verdict::improved);
  EXPECT_EQ(found[0].ratio, 0.9);
  EXPECT_EQ(found[0].ratio_low, 0.8);
  EXPECT_EQ(found[0].ratio_high, 0.95);
  EXPECT_EQ(found[0].commit, hash_of(1));
  EXPECT_EQ(found[0].finished_at, at(1000));
  EXPECT_EQ(found[0].epoch, epoch());
}

TEST_F(History, OfAPairThatWasRedoneTheLastCounts) {
  const RunId run = working_run(1);
  put(run, 0, {99});
  put(run, 0, {10, 10}, Side::head, 0, 1);
  finish(run, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  EXPECT_THAT(medians(points()), ElementsAre(10));
  EXPECT_EQ(points()[0].samples, 2);
  EXPECT_EQ(points()[0].processes, 1);
}

TEST_F(History, ARoundThatDidNotDecideIsLeftOut) {
  const RunId run = working_run(1);
  put(run, 0, {10}, Side::head, 0);
  put(run, 0, {30}, Side::head, 1);
  Comparison second = comparison("b", Verdict::unchanged);
  second.round = 1;
  finish(run, Conclusion::passed, {second});
  EXPECT_THAT(medians(points()), ElementsAre(30));
}

TEST_F(History, WhatFailedWasSupersededOrIsBasesLeavesNoPoint) {
  const RunId failed = working_run(1);
  Process crashed = process("crashed", Side::head, 0, {10});
  crashed.series[0].error = "it crashed";
  ASSERT_TRUE(put_process(connection, failed, crashed, at(1)));
  finish(failed, Conclusion::broken, {comparison("b", Verdict::crashed)});
  const RunId only_base = working_run(2);
  put(only_base, 0, {10}, Side::base);
  finish(only_base, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  const RunId lost = working_run(3);
  put(lost, 0, {10});
  connection.run("UPDATE processes SET superseded = 1 WHERE run_id = ?", lost);
  finish(lost, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  EXPECT_THAT(points(), IsEmpty());
}

TEST_F(History, ABranchHasItsOwnRunsAndNoForks) {
  measured(1, 10);
  measured(2, 20, "topic");
  measured(3, 30, "main", true);
  EXPECT_THAT(medians(points("main")), ElementsAre(10));
  EXPECT_THAT(medians(points("topic")), ElementsAre(20));
  EXPECT_THAT(medians(points()), ElementsAre(30, 20, 10)) << "of any branch, newest first";
}

TEST_F(History, PointsOfOneEpochAreListedAlone) {
  measured(1, 10);
  const EpochId first = epoch();
  const EpochId second = epoch("2");
  const auto of = [&](EpochId wanted) {
    return list_history(connection,
                        {.repository = repository, .suite = "s", .benchmark = "b", .branch = {}, .epoch = wanted})
        .size();
  };
  EXPECT_EQ(of(first), 1U);
  EXPECT_EQ(of(second), 0U);
}

TEST_F(History, TheSameBenchmarkOfAnotherRepositoryIsAnotherOne) {
  measured(1, 10);
  const RepositoryId first = repository;
  repository = *add_repository(connection, {.name = "other", .url = "file:///o", .manifest = {}}, at(0));
  measured(1, 99);
  EXPECT_THAT(medians(points()), ElementsAre(99));
  EXPECT_THAT(list_benchmarks(connection, repository), SizeIs(1));
  EXPECT_NE(list_benchmarks(connection, repository)[0].id, list_benchmarks(connection, first)[0].id);
  repository = first;
  EXPECT_THAT(medians(points()), ElementsAre(10));
}

TEST_F(History, PagesFollowEachOtherByRun) {
  for (int commit = 1; commit <= 5; ++commit) measured(commit, commit);
  const auto first = points({}, {.before = 0, .limit = 2});
  EXPECT_THAT(medians(first), ElementsAre(5, 4));
  const auto second = points({}, {.before = first.back().run.value, .limit = 2});
  EXPECT_THAT(medians(second), ElementsAre(3, 2));
  EXPECT_THAT(medians(points({}, {.before = second.back().run.value, .limit = 2})), ElementsAre(1));
  EXPECT_THAT(points({}, {.before = 1, .limit = 2}), IsEmpty());
}

TEST_F(History, BenchmarksAreListedNewestFirstWithTheirSuites) {
  const RunId run = working_run(1);
  Comparison other = comparison("b", Verdict::added);
  other.suite = "t";
  finish(run, Conclusion::passed, {comparison("a", Verdict::added), comparison("b", Verdict::added), other});
  const auto names = [](const std::vector<BenchmarkName>& rows) {
    std::vector<std::string> out;
    for (const BenchmarkName& row : rows) out.push_back(row.suite + "/" + row.benchmark);
    return out;
  };
  const auto first = list_benchmarks(connection, repository, {.before = 0, .limit = 2});
  EXPECT_THAT(names(first), ElementsAre("t/b", "s/b"));
  EXPECT_THAT(names(list_benchmarks(connection, repository, {.before = first.back().id, .limit = 2})),
              ElementsAre("s/a"));
}

}  // namespace history_test
}  // namespace kernelgate::db
