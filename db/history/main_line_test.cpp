// SPDX-License-Identifier: Apache-2.0
#include "db/history/main_line.hpp"

#include <gmock/gmock.h>

#include "db/history/history.hpp"
#include "db/history/overview.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace main_line_test {

class MainLine : public StoreTest {
 protected:
  struct Measured {
    std::string branch = "main", source = "cli", driver = "1";
    Verdict verdict = Verdict::unchanged;
    Conclusion conclusion = Conclusion::passed;
    int base = 0;  // a commit, measured at base_ns
    double base_ns = 0;
  };
  void measured(int commit, double ns, const Measured& how) {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = how.branch;
    run.source = how.source;
    run.idempotency_key = std::to_string(next_++);
    run.queued = false;
    const RunId id = add_run(connection, run, at(commit))->id;
    ASSERT_TRUE(set_epoch(connection, id, epoch(how.driver), "local"));
    Process head = process("p" + std::to_string(next_), Side::head, 0, {ns, ns, ns});
    ASSERT_TRUE(put_process(connection, id, head, at(commit)));
    Comparison judged = comparison("b", how.verdict);
    if (how.base != 0) {
      judged.base_median_ns = how.base_ns;
      ASSERT_TRUE(set_resolved(connection, id, {.base_commit = hash_of(how.base)}));
    }
    finish(id, how.conclusion, {judged});
  }
  void measured(int commit, double ns) { measured(commit, ns, Measured{}); }
  wire::BenchmarkHistory history(const std::string& branch = "main") {
    const auto found =
        read_main_line(connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = branch});
    EXPECT_TRUE(found) << to_string(found.error());
    return found.value_or(wire::BenchmarkHistory{});
  }
  int next_ = 1;
};

TEST_F(MainLine, OnlyTheBranchTheEpochAndGoodPointsCount) {
  measured(1, 1000);
  measured(2, 2000, {.branch = "feature"});
  measured(3, 3000, {.source = "work-tree"});
  measured(4, 4000, {.verdict = Verdict::invalid});
  measured(5, 1001);
  EXPECT_EQ(history().points.size(), 2U);
  EXPECT_EQ(history("").points.size(), 3U);
  measured(6, 500, {.driver = "2"});
  const auto newest = history();
  ASSERT_EQ(newest.points.size(), 1U);
  EXPECT_EQ(newest.points[0].median_ns, 500);
  EXPECT_EQ(newest.epochs, (std::vector<std::int64_t>{newest.epoch, newest.epoch - 1}));
  const EpochId first{newest.epoch - 1};
  const HistoryQuery older{.repository = repository, .suite = "s", .benchmark = "b", .epoch = first};
  EXPECT_EQ(read_main_line(connection, older)->points.size(), 3U);
}

TEST_F(MainLine, ACommitMeasuredAgainKeepsItsPlace) {
  measured(1, 1000);
  measured(2, 1100);
  measured(1, 1050);
  const auto found = history();
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(found.points[0].commit, hash_of(1));
  EXPECT_EQ(found.points[0].median_ns, 1050);
  EXPECT_EQ(found.points[0].run, 3);
}

TEST_F(MainLine, ABaseThatNobodyMeasuredAsHeadIsAPointBeforeIt) {
  measured(2, 1510, {.verdict = Verdict::regressed, .base = 1, .base_ns = 1000});
  measured(3, 1512, {.base = 2, .base_ns = 1509});
  const auto found = history();
  ASSERT_EQ(found.points.size(), 3U);
  EXPECT_EQ(found.points[0].commit, hash_of(1));
  EXPECT_EQ(found.points[0].side, Side::base);
  EXPECT_EQ(found.points[0].median_ns, 1000);
  EXPECT_EQ(found.points[1].side, Side::head);
  EXPECT_EQ(found.points[1].median_ns, 1510) << "what was measured as head stands";
}

TEST_F(MainLine, ARefusedPushIsNotOnTheBranchUntilALaterRunStandsOnIt) {
  const Measured refused{.source = "pre-push",
                         .verdict = Verdict::regressed,
                         .conclusion = Conclusion::regressed,
                         .base = 1,
                         .base_ns = 1000};
  measured(2, 1510, refused);
  auto found = history();
  ASSERT_EQ(found.points.size(), 1U);
  EXPECT_EQ(found.points[0].commit, hash_of(1));
  EXPECT_THAT(recent_runs(connection), testing::IsEmpty());
  measured(3, 1001, {.source = "pre-push", .base = 1, .base_ns = 999});
  EXPECT_EQ(history().points.size(), 2U) << "the commit that took its place";
  measured(4, 1512, {.source = "pre-push", .base = 2, .base_ns = 1509});
  found = history();
  ASSERT_EQ(found.points.size(), 4U);
  EXPECT_EQ(found.points[1].commit, hash_of(2)) << "it was pushed past the gate";
  EXPECT_THAT(recent_runs(connection), testing::SizeIs(3));
}

TEST_F(MainLine, AnUnknownBenchmarkHasNoPoints) {
  EXPECT_TRUE(history().points.empty());
  EXPECT_EQ(history().epoch, 0);
}

TEST_F(MainLine, RecentLevelsAreThoseOfTheBranchInItsNewestEpoch) {
  measured(1, 1000, {.driver = "0"});
  for (int commit = 2; commit <= 4; ++commit) measured(commit, 1000 + commit);
  measured(5, 3000, {.branch = "feature"});
  measured(6, 4000, {.verdict = Verdict::broken});
  const std::int64_t benchmark = list_benchmarks(connection, repository).at(0).id;
  EXPECT_THAT(recent_levels(connection, benchmark, "main"), testing::ElementsAre(1002, 1003, 1004));
  EXPECT_THAT(recent_levels(connection, benchmark, "other"), testing::IsEmpty());
  for (int commit = 7; commit <= 7 + limits::kRecentPointsMax; ++commit) measured(commit, 2000 + commit);
  const std::vector<double> full = recent_levels(connection, benchmark, "main");
  EXPECT_THAT(full, testing::SizeIs(limits::kRecentPointsMax));
  EXPECT_EQ(full.back(), 2007 + limits::kRecentPointsMax);
}

TEST_F(MainLine, OlderPointsAreLeftOut) {
  for (int commit = 1; commit <= 5; ++commit) measured(commit, 1000);
  const auto found = read_main_line(
      connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = "main", .points = 3});
  ASSERT_EQ(found->points.size(), 3U);
  EXPECT_TRUE(found->older_left_out);
  EXPECT_EQ(found->points.back().commit, hash_of(5));
}

}  // namespace main_line_test
}  // namespace kernelgate::db
