// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/sessions.hpp"

#include <cmath>

#include "db/history/history.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace sessions_test {

class Sessions : public StoreTest {
 protected:
  BaselineId promoted(int commit, bool anchor = false, const std::string& name = "main") {
    const RunId run = working_run(commit, name + std::to_string(commit));
    EXPECT_TRUE(put_process(connection, run, process(name + std::to_string(commit), Side::head, 0, {10}), at(commit)));
    finish(run, Conclusion::passed, {comparison("b", Verdict::unchanged)});
    const auto id = promote(
        connection,
        {.repository = repository, .run = run, .name = name, .actor = "ann", .reason = "release", .anchor = anchor},
        at(2000));
    EXPECT_TRUE(id) << to_string(id.error());
    return *id;
  }
  NewRun asked(int commit) {
    NewRun wanted;
    wanted.repository = repository;
    wanted.commit = hash_of(commit);
    wanted.base = {wire::BaseKind::none, "2"};
    wanted.source = kSessionSource;
    wanted.idempotency_key = "session " + std::to_string(++asked_);
    return wanted;
  }
  // A session of the commit with processes of these medians.
  RunId session(int commit, std::vector<double> medians, Conclusion conclusion = Conclusion::passed,
                const std::string& disturbance = {}) {
    NewRun wanted = asked(commit);
    wanted.queued = false;
    const RunId run = add_run(connection, wanted, at(commit))->id;
    EXPECT_TRUE(set_epoch(connection, run, present_, "local"));
    for (std::size_t i = 0; i < medians.size(); ++i) {
      Process one = process("s" + std::to_string(run.value) + "-" + std::to_string(i), Side::head, static_cast<int>(i),
                            {medians[i]});
      one.disturbed = !disturbance.empty() && i == 0;
      one.disturbance = disturbance;
      EXPECT_TRUE(put_process(connection, run, one, at(commit)));
    }
    finish(run, conclusion, {comparison("b", Verdict::added)});
    return run;
  }

  EpochId present_ = epoch();
  int asked_ = 0;
};

TEST_F(Sessions, OfTheBaselinesCommitAndEpochThatPassedUndisturbedCount) {
  const BaselineId id = promoted(1);
  session(1, {10, 11});
  session(1, {12, 13});
  session(1, {99, 99}, Conclusion::broken);
  session(1, {99, 99}, Conclusion::passed, "thermal");
  session(1, {99});  // one process tells nothing of a session
  session(2, {99, 99});
  const auto found = stored_sessions(connection, repository, present_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].suite, "s");
  EXPECT_EQ(found[0].benchmark, "b");
  EXPECT_EQ(found[0].baseline, "main");
  EXPECT_EQ(found[0].commit, hash_of(1));
  EXPECT_EQ(found[0].sessions,
            (std::vector<std::vector<double>>{{std::log(10), std::log(11)}, {std::log(12), std::log(13)}}));
  EXPECT_EQ(get_baseline(connection, id)->sessions, 4);
  const EpochId other = epoch("2");
  EXPECT_TRUE(stored_sessions(connection, repository, other).empty());
}

TEST_F(Sessions, TheNewestBaselineIsTheOneThatCounts) {
  promoted(1);
  session(1, {10, 10});
  promoted(2);
  EXPECT_TRUE(stored_sessions(connection, repository, present_).empty());
  session(2, {20, 20});
  EXPECT_EQ(stored_sessions(connection, repository, present_).at(0).commit, hash_of(2));
}

TEST_F(Sessions, AnAnchorIsTheNewestBaselinePromotedAsOne) {
  EXPECT_EQ(anchor_commit(connection, repository, present_), "");
  promoted(1, true, "release-1");
  promoted(2);
  EXPECT_EQ(anchor_commit(connection, repository, present_), hash_of(1));
  promoted(3, true, "release-2");
  EXPECT_EQ(anchor_commit(connection, repository, present_), hash_of(3));
  EXPECT_EQ(anchor_commit(connection, repository, epoch("2")), "");
}

TEST_F(Sessions, LeaveNoPointInHistory) {
  session(1, {10, 11});
  EXPECT_TRUE(
      list_history(connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = {}, .epoch = {}})
          .empty());
}

TEST_F(Sessions, PresentBaselinesAndUnfinishedSessionsAreFound) {
  promoted(1, false, "old");
  const Baseline main = *get_baseline(connection, promoted(2));
  ASSERT_EQ(present_baselines(connection, repository, "").size(), 2u);
  EXPECT_EQ(present_baselines(connection, repository, "").at(0).commit, hash_of(2));
  EXPECT_EQ(present_baselines(connection, repository, "old").at(0).commit, hash_of(1));
  EXPECT_FALSE(unfinished_session(connection, main));
  session(2, {10, 11});
  EXPECT_FALSE(unfinished_session(connection, main));
  const auto queued = add_run(connection, asked(2), at(9));
  ASSERT_TRUE(queued);
  EXPECT_EQ(unfinished_session(connection, main), queued->id);
  EXPECT_TRUE(is_session(connection, queued->id));
  bind_session(connection, queued->id, "bed");
  EXPECT_FALSE(claim_job(connection, {.runner = "r", .testbed = "elsewhere", .lease_sha256 = "x", .now = at(10)}));
  EXPECT_TRUE(claim_job(connection, {.runner = "r", .testbed = "bed", .lease_sha256 = "x", .now = at(10)}));
}

}  // namespace sessions_test
}  // namespace kernelgate::db
