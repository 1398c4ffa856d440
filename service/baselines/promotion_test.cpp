// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/promotion.hpp"

#include "db/accounts/audit.hpp"
#include "db/baselines/sessions.hpp"
#include "db/history/history.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace promotion_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

class Baselines : public StoreTest {
 protected:
  RunId measured(int commit, Conclusion conclusion = Conclusion::passed, Verdict verdict = Verdict::unchanged,
                 bool disturbed = false) {
    const RunId id = working_run(commit);
    Process head = process("h" + std::to_string(commit), Side::head, 0, {10, 30, 20});
    head.disturbed = disturbed;
    head.disturbance = disturbed ? "thermal" : "";
    EXPECT_TRUE(put_process(connection, id, head, at(commit)));
    EXPECT_TRUE(put_process(connection, id, process("g" + std::to_string(commit), Side::head, 1, {40}), at(commit)));
    EXPECT_TRUE(put_process(connection, id, process("b" + std::to_string(commit), Side::base, 0, {99}), at(commit)));
    Comparison timed = comparison("b", verdict, 1, 0.1);
    timed.ratio = 1.5;
    finish(id, conclusion, {timed, comparison("gone", Verdict::missing)});
    return id;
  }
  Result<BaselineId> promoted(RunId run, const std::string& name = "main") {
    return promote_run(connection,
                       {.repository = repository, .run = run, .name = name, .actor = "ann", .reason = "release"},
                       at(2000));
  }
  void expect_refused(RunId run, const std::string& why) {
    const auto result = promoted(run);
    ASSERT_FALSE(result) << why;
    EXPECT_EQ(result.error().code, Errc::conflict);
    EXPECT_NE(result.error().what.find(why), std::string::npos) << result.error().what;
  }
};

TEST_F(Baselines, APromotedRunIsFoundWithItsFigures) {
  const RunId run = measured(1);
  const auto id = promoted(run);
  ASSERT_TRUE(id) << to_string(id.error());
  const auto found = find_baseline(connection, repository, "main", epoch());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, *id);
  EXPECT_EQ(found->run, run);
  EXPECT_EQ(found->commit, hash_of(1));
  EXPECT_EQ(found->reason, "release");
  ASSERT_EQ(found->benchmarks.size(), 1u);
  EXPECT_EQ(found->benchmarks[0].benchmark, "b");
  EXPECT_EQ(found->benchmarks[0].median_ns, 30);  // of the process medians 20 and 40
  EXPECT_EQ(found->benchmarks[0].processes, 2);
  EXPECT_FALSE(find_baseline(connection, repository, "other", epoch()));
  EXPECT_EQ(baseline_commits(connection, repository), std::vector{hash_of(1)});
  const auto actions = list_actions(connection);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].action.actor, "ann");
  EXPECT_EQ(actions[0].action.detail, "main: release");
  EXPECT_EQ(actions[0].at, at(2000));
}

TEST_F(Baselines, ALaterOneOfTheNameReplacesIt) {
  const auto first = promoted(measured(1));
  const auto second = promoted(measured(2));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(find_baseline(connection, repository, "main", epoch())->id, *second);
  EXPECT_EQ(get_baseline(connection, *first)->replaced_at, at(2000));
  EXPECT_EQ(list_baselines(connection, repository).size(), 2u);
}

TEST_F(Baselines, TheSamePromotionIsMadeOnce) {
  const RunId run = measured(1);
  ASSERT_TRUE(promoted(run));
  const auto again = promoted(run);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::conflict);
  EXPECT_EQ(again.error().what, "run 1 is main already: promoted by ann: release");
  EXPECT_EQ(list_baselines(connection, repository).size(), 1u);
  EXPECT_TRUE(promoted(run, "other"));
  EXPECT_EQ(promoted(run, "two\nlines").error().code, Errc::invalid);
}

TEST_F(Baselines, UnfitRunsAreRefusedWithTheReason) {
  expect_refused(measured(1, Conclusion::regressed, Verdict::regressed), "it concluded regressed");
  expect_refused(measured(2, Conclusion::broken, Verdict::crashed), "it concluded broken");
  expect_refused(measured(3, Conclusion::undecided, Verdict::undecided), "it concluded undecided");
  expect_refused(measured(4, Conclusion::infrastructure), "it concluded infrastructure");
  expect_refused(measured(5, Conclusion::passed, Verdict::regressed),
                 "s: b is regressed");  // small, only warned of
  expect_refused(measured(6, Conclusion::passed, Verdict::unchanged, true), "was disturbed: thermal");
  expect_refused(working_run(7), "it is claimed");
  const RunId empty = working_run(8);
  finish(empty, Conclusion::passed, {comparison("b", Verdict::identical)});
  expect_refused(empty, "it timed nothing");
  const RunId copy = working_run(9);
  ASSERT_TRUE(finish_reused(connection, copy, measured(10), at(9)));
  expect_refused(copy, "it measured nothing itself");
  NewRun session{.repository = repository, .commit = hash_of(12)};
  session.source = kSessionSource;
  session.idempotency_key = "session";
  session.queued = false;
  const RunId alone = add_run(connection, session, at(12))->id;
  ASSERT_TRUE(set_epoch(connection, alone, epoch(), "local"));
  finish(alone, Conclusion::passed, {comparison("b", Verdict::added)});
  expect_refused(alone, "it is a session of a baseline");
  const RunId off_epoch = measured(11);
  (void)epoch("2");
  expect_refused(off_epoch, "its epoch is over");
}

TEST_F(Baselines, ADisturbedProcessThatWasRedoneDoesNoHarm) {
  const RunId id = working_run(1);
  Process disturbed = process("x", Side::head, 0, {99});
  disturbed.disturbed = true;
  Process redo = process("y", Side::head, 0, {10});
  redo.attempt = 1;
  ASSERT_TRUE(put_process(connection, id, redo, at(1)));  // arrives first
  ASSERT_TRUE(put_process(connection, id, disturbed, at(1)));
  finish(id, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  ASSERT_TRUE(promoted(id));
  EXPECT_EQ(find_baseline(connection, repository, "main", epoch())->benchmarks.at(0).median_ns, 10);
}

TEST_F(Baselines, APromotionNeedsANameAReasonAndTheRightRepository) {
  const RunId run = measured(1);
  EXPECT_EQ(promoted(run, "").error().code, Errc::invalid);
  EXPECT_EQ(
      promote_run(connection, {.repository = repository, .run = run, .name = "n", .actor = "a", .reason = ""}, at(1))
          .error()
          .code,
      Errc::invalid);
  EXPECT_EQ(promote_run(connection,
                        {.repository = RepositoryId{9}, .run = run, .name = "n", .actor = "a", .reason = "r"}, at(1))
                .error()
                .code,
            Errc::conflict);
  EXPECT_EQ(promoted(RunId{999}).error().code, Errc::not_found);
}

TEST_F(Baselines, HistoryPagesNewestFirst) {
  std::vector<RunId> runs;
  for (int i = 1; i <= 5; ++i) runs.push_back(measured(i));
  const HistoryFilter filter{.repository = repository, .suite = "s", .benchmark = "b", .branch = {}, .epoch = {}};
  const auto first = list_history(connection, filter, {.limit = 3});
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0].run, runs[4]);
  EXPECT_EQ(first[0].commit, hash_of(5));
  EXPECT_EQ(first[0].median_ns, 30);
  EXPECT_EQ(first[0].spread_ns, 20);
  EXPECT_EQ(first[0].samples, 4);
  EXPECT_EQ(first[0].ratio, 1.5);
  EXPECT_EQ(first[0].verdict, Verdict::unchanged);
  const auto second = list_history(connection, filter, {.before = first[2].run.value, .limit = 3});
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[0].run, runs[1]);
  HistoryFilter narrow = filter;
  narrow.branch = "topic";
  EXPECT_TRUE(list_history(connection, narrow).empty());
  narrow = filter;
  narrow.epoch = EpochId{99};
  EXPECT_TRUE(list_history(connection, narrow).empty());
  EXPECT_EQ(list_benchmarks(connection, repository).size(), 2u);
}

}  // namespace promotion_test
}  // namespace kernelgate::service
