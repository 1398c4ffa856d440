// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/bisections.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "db/accounts/audit.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace bisections_test {

using testing::HasSubstr;

// A line of commits 1 … `commits`; the culprit is where the benchmark "b" of suite "s" becomes 12 % slower.
class BisectionsTest : public StoreTest {
 protected:
  BisectionsTest() {
    const RunId known = working_run(900);
    finish(known, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  }

  static std::vector<std::string> line(int commits) {
    std::vector<std::string> out;
    for (int i = 1; i <= commits; ++i) out.push_back(hash_of(i));
    return out;
  }
  NewBisection wanted(int commits = 65) const {
    return {
        .repository = repository, .target = {.suite = {}, .benchmark = "b"}, .commits = line(commits), .actor = "ada"};
  }
  BisectionId started(int commits = 65) {
    const auto id = start_bisection(connection, wanted(commits), at(1));
    EXPECT_TRUE(id) << to_string(id.error());
    return id.value_or(BisectionId{});
  }
  Error refused(NewBisection wanted) {
    const auto id = start_bisection(connection, std::move(wanted), at(1));
    EXPECT_FALSE(id);
    return id ? Error{} : id.error();
  }

  // Does what a runner does: resolves the run and ends it.
  void end_run(RunId id, int culprit, Conclusion otherwise = Conclusion::passed) {
    const db::Run run = *get_run(connection, id);
    EXPECT_EQ(run.base.kind, wire::BaseKind::explicit_commit);
    EXPECT_EQ(run.source, "bisect");
    ResolvedRun resolved;
    resolved.base_commit = run.base.argument;
    ASSERT_TRUE(set_resolved(connection, id, resolved));
    if (otherwise != Conclusion::passed) {
      finish(id, otherwise);
      return;
    }
    const bool slower = run.commit >= hash_of(culprit) && run.base.argument < hash_of(culprit);
    Comparison one = comparison("b", slower ? Verdict::regressed : Verdict::unchanged);
    one.ratio = slower ? 1.12 : 1.0;
    one.ratio_high = *one.ratio * 1.005;
    finish(id, slower ? Conclusion::regressed : Conclusion::passed, {one});
  }

  wire::Bisection shown(BisectionId id) { return *get_bisection(connection, id); }
};

TEST_F(BisectionsTest, EachFinishedRunQueuesTheNextUntilTheCulpritIsConfirmed) {
  const BisectionId id = started();
  for (int runs = 0; shown(id).state == wire::BisectionState::running; ++runs) {
    ASSERT_LT(runs, 20);
    const auto run = run_under_way(connection, id);
    ASSERT_TRUE(run);
    end_run(*run, 38);
  }
  const wire::Bisection ended = shown(id);
  EXPECT_EQ(ended.ending, bisect::Ending::culprit);
  EXPECT_EQ(ended.culprit, hash_of(38));
  EXPECT_EQ(ended.steps.back().base, hash_of(37)) << "confirmed against its parent";
  EXPECT_LE(ended.comparisons, 10);
  EXPECT_NEAR(*ended.ratio, 1.12, 1e-6);
  EXPECT_EQ(ended.suite, "s") << "found by the benchmark's name";
  const auto actions = list_actions(connection);
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions[1].action.action, "bisection.start");
  EXPECT_EQ(actions[0].action.action, "bisection.end");
  EXPECT_THAT(actions[0].action.detail, HasSubstr("is the culprit"));
}

TEST_F(BisectionsTest, ABuildFailureAndALostRunnerAreSkipped) {
  const BisectionId id = started();
  for (int runs = 0; shown(id).state == wire::BisectionState::running && runs < 30; ++runs) {
    const RunId run = *run_under_way(connection, id);
    const std::string commit = get_run(connection, run)->commit;
    const bool unbuilt = commit == hash_of(33) || commit == hash_of(17);
    end_run(run, 20, unbuilt ? Conclusion::build_failed : runs == 2 ? Conclusion::infrastructure : Conclusion::passed);
  }
  EXPECT_EQ(shown(id).culprit, hash_of(20));
}

TEST_F(BisectionsTest, ACancelledOneStopsItsRunAndIsNeverGoneOnWith) {
  const BisectionId id = started();
  const RunId run = *run_under_way(connection, id);
  ASSERT_TRUE(cancel_bisection(connection, id, "ada", at(2)));
  EXPECT_EQ(get_run(connection, run)->state, RunState::cancelled);
  EXPECT_EQ(shown(id).state, wire::BisectionState::cancelled);
  EXPECT_EQ(shown(id).steps.size(), 1U);
  EXPECT_EQ(cancel_bisection(connection, id, "ada", at(3)).error().code, Errc::conflict);
}

TEST_F(BisectionsTest, WhatIsWrongWithARequestIsNamed) {
  NewBisection one = wanted(1);
  EXPECT_THAT(refused(one).what, HasSubstr("two commits or more"));
  one.commits = {hash_of(1), hash_of(1)};
  EXPECT_THAT(refused(one).what, HasSubstr("the same commit"));
  one.commits = {hash_of(1), hash_of(2), hash_of(1) + "0"};
  EXPECT_EQ(refused(one).where, "/commits");
  one.commits = {hash_of(1), hash_of(2), hash_of(2), hash_of(3)};
  EXPECT_THAT(refused(one).what, HasSubstr("stands there twice"));
  EXPECT_EQ(refused(wanted(4097)).code, Errc::too_large);
  one = wanted();
  one.target.benchmark = "nobody";
  EXPECT_EQ(refused(one).code, Errc::not_found);
  one.target.benchmark = "";
  EXPECT_EQ(refused(one).where, "/benchmark");
  one.target.aim = bisect::Aim::broken;
  EXPECT_TRUE(start_bisection(connection, one, at(1))) << "any failure may be looked for";
  (void)started();
  EXPECT_EQ(refused(wanted()).code, Errc::conflict) << "the same is under way";
  NewBisection full = wanted(9);
  full.queued_max = 0;
  EXPECT_EQ(refused(full).code, Errc::too_many);
}

TEST_F(BisectionsTest, ABackfillMeasuresParentsThatNeverWere) {
  finish(working_run(2), Conclusion::passed);
  finish(working_run(3), Conclusion::infrastructure);
  const auto reply =
      backfill(connection, {.repository = repository, .commits = line(6), .limit = 3, .actor = "ada"}, at(5));
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(reply->known, 1);
  EXPECT_EQ(reply->left, 1);
  ASSERT_EQ(reply->runs.size(), 3U);
  EXPECT_EQ(reply->runs[0].commit, hash_of(6)) << "newest first";
  EXPECT_EQ(reply->runs[0].base, hash_of(5));
  const auto again =
      backfill(connection, {.repository = repository, .commits = line(6), .limit = 3, .actor = "ada"}, at(6));
  EXPECT_EQ(again->runs.size(), 1U) << "what is queued is not queued twice";
  EXPECT_EQ(again->runs[0].commit, hash_of(3)) << "the machine's trouble measured nothing";
}

}  // namespace bisections_test
}  // namespace kernelgate::db
