// SPDX-License-Identifier: Apache-2.0
#include "service/history/histories.hpp"

#include <cmath>

#include "db/baselines/baselines.hpp"
#include "service/history/trends.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace histories_test {

class Histories : public db::StoreTest {
 protected:
  RunId measured(int commit, double ns) {
    const RunId id = working_run(commit, std::to_string(next_));
    EXPECT_TRUE(
        db::put_process(connection, id, process("p" + std::to_string(next_++), Side::head, 0, {ns}), db::at(commit)));
    finish(id, Conclusion::passed, {comparison("b", Verdict::unchanged)});
    return id;
  }
  void anchor(RunId run) {
    db::Promotion promotion{
        .repository = repository, .run = run, .name = "release-1.2", .actor = "ann", .reason = "release"};
    promotion.anchor = true;
    const auto made = db::promote(connection, promotion, db::at(50));
    ASSERT_TRUE(made) << to_string(made.error());
  }
  wire::BenchmarkHistory history() {
    return *benchmark_history(connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = "main"});
  }
  int next_ = 1;
};

TEST_F(Histories, TenCommitsOfHalfAPercentAreCreepWithTheirStart) {
  for (int commit = 1; commit <= 12; ++commit) measured(commit, 1000 + commit % 2);
  for (int step = 1; step <= 10; ++step) measured(12 + step, 1000 * std::pow(1.005, step));
  const auto found = history();
  ASSERT_EQ(found.points.size(), 22U);
  ASSERT_TRUE(found.creep);
  EXPECT_EQ(found.creep->commit_before, db::hash_of(12));
  EXPECT_EQ(found.creep->commit_after, db::hash_of(13));
  EXPECT_EQ(found.creep->commits, 10);
  EXPECT_NEAR(found.creep->ratio, std::pow(1.005, 10), 0.002);
  EXPECT_TRUE(found.changes.empty());
}

TEST_F(Histories, AChangeHasItsCommitRangeEitherWay) {
  for (int commit = 1; commit <= 8; ++commit) measured(commit, 1000 + commit % 3);
  for (int commit = 9; commit <= 16; ++commit) measured(commit, 950 + commit % 3);
  const auto found = history();
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].commit_before, db::hash_of(8));
  EXPECT_EQ(found.changes[0].commit_after, db::hash_of(9));
  EXPECT_NEAR(found.changes[0].ratio, 0.95, 0.002);
  EXPECT_FALSE(found.creep);
}

TEST_F(Histories, WithoutAnAnchoredBaselineThereIsNothingToSay) {
  measured(1, 1000);
  EXPECT_FALSE(history().anchor);
  EXPECT_EQ(history().anchor_note, "");
  EXPECT_FALSE(history().points[0].anchor_ratio);
}

TEST_F(Histories, TheNewestPointIsComparedWithTheReleaseWithTheSpreadOfTheHistory) {
  anchor(measured(1, 1000));
  for (int commit = 2; commit <= 12; ++commit) measured(commit, 1050 + commit % 3);
  const auto found = history();
  ASSERT_TRUE(found.anchor);
  EXPECT_EQ(found.anchor->name, "release-1.2");
  EXPECT_EQ(found.anchor->commit, db::hash_of(1));
  EXPECT_DOUBLE_EQ(found.anchor->ratio, 1.05);
  EXPECT_EQ(found.anchor->spread, "history");
  EXPECT_EQ(found.anchor->spread_count, 12);
  EXPECT_GT(*found.anchor->ratio_low, 1.03);
  EXPECT_NE(found.anchor->text.find("session offset not known, interval from 12 points"), std::string::npos);
  EXPECT_DOUBLE_EQ(*found.points[0].anchor_ratio, 1);
}

TEST_F(Histories, OneOfAnotherEpochIsNamedAndNotUsed) {
  anchor(measured(1, 1000));
  const EpochId later = epoch("2");
  const auto lookup = db::find_anchor(connection, repository, later);
  EXPECT_FALSE(lookup.anchor);
  EXPECT_NE(note_of(lookup).find("release-1.2 (0000000000) is of another epoch"), std::string::npos);
}

TEST_F(Histories, TwentySessionsMakeThePredictionInterval) {
  db::Anchor release;
  release.baseline.name = "v1";
  release.medians_ns[{"s", "b"}] = 1000;
  for (int i = 0; i < 20; ++i) release.sessions[{"s", "b"}].push_back(std::log(1000.0 + i));
  measured(1, 1100);
  auto found = history();
  ASSERT_TRUE(compare_with_anchor(found, release));
  EXPECT_EQ(found.anchor->spread, "sessions");
  EXPECT_GT(*found.anchor->ratio_low, 1.05);
  EXPECT_NE(found.anchor->text.find("interval from 20 sessions"), std::string::npos);
}

}  // namespace histories_test
}  // namespace kernelgate::service
