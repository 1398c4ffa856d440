// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/baseline_diff.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace baseline_diff_test {

using testing::HasSubstr;

class BaselineDiff : public StoreTest {
 protected:
  // A session of the commit: head alone, two processes.
  RunId session(int commit, double ns, const std::string& driver = "1") {
    NewRun wanted{.repository = repository, .commit = hash_of(commit)};
    wanted.base = {.kind = wire::BaseKind::none, .argument = "2"};
    wanted.source = "remeasure";
    wanted.idempotency_key = std::to_string(++made_);
    wanted.queued = false;
    const RunId run = add_run(connection, wanted, at(made_))->id;
    EXPECT_TRUE(set_epoch(connection, run, epoch(driver), "local"));
    for (int i = 0; i < 2; ++i)
      EXPECT_TRUE(
          put_process(connection, run, process(std::to_string(++made_), Side::head, i, {ns, ns, ns}), at(made_)));
    finish(run, Conclusion::passed);
    return run;
  }
  // Both in turn, as a run does.
  RunId pairs(int base, int head, double ratio) {
    const RunId run = working_run(head, std::to_string(++made_));
    ResolvedRun resolved{.base_commit = hash_of(base)};
    resolved.head_tree = hash_of(900 + head);
    EXPECT_TRUE(set_resolved(connection, run, resolved));
    Comparison one = comparison("b", Verdict::regressed);
    one.ratio = ratio;
    one.ratio_low = ratio - .01;
    one.ratio_high = ratio + .01;
    one.pairs = 4;
    finish(run, Conclusion::regressed, {one});
    return run;
  }
  wire::BaselineDiff diff(int a, int b) {
    auto found = diff_baselines(connection, repository, hash_of(a), hash_of(b));
    EXPECT_TRUE(found) << to_string(found.error());
    return found ? std::move(*found) : wire::BaselineDiff{};
  }
  int made_ = 100;
};

TEST_F(BaselineDiff, SessionsOfOneEpochGiveARatioWithItsInterval) {
  for (const double ns : {100, 101, 102}) (void)session(1, ns);
  for (const double ns : {110, 111, 112}) (void)session(2, ns);
  const auto found = diff(1, 2);
  ASSERT_EQ(found.rows.size(), 1U);
  const wire::DiffRow& row = found.rows[0];
  EXPECT_EQ(row.basis, "sessions");
  EXPECT_EQ(row.a_sessions, 3);
  EXPECT_EQ(row.b_processes, 6);
  EXPECT_NEAR(*row.ratio, 111.0 / 101, .001);
  EXPECT_LT(*row.ratio_low, *row.ratio);
  EXPECT_GT(*row.ratio_high, *row.ratio);
  EXPECT_TRUE(row.note.empty());
}

TEST_F(BaselineDiff, OneSessionHasNoInterval) {
  (void)session(1, 100);
  (void)session(2, 110);
  const auto found = diff(1, 2);
  EXPECT_NEAR(*found.rows.at(0).ratio, 1.1, 1e-9);
  EXPECT_FALSE(found.rows.at(0).ratio_low);
  EXPECT_THAT(found.rows.at(0).note, HasSubstr("one session on a side"));
  EXPECT_THAT(found.notices.at(0), HasSubstr("remeasure"));
}

TEST_F(BaselineDiff, DifferentEpochsAreNotHeldAgainstEachOther) {
  (void)session(1, 100, "1");
  (void)session(2, 110, "2");
  const auto found = diff(1, 2);
  EXPECT_EQ(found.rows.at(0).basis, "none");
  EXPECT_FALSE(found.rows.at(0).ratio);
  EXPECT_NEAR(*found.rows.at(0).b_median_ns, 110, 1e-9);
  EXPECT_THAT(found.rows.at(0).note, HasSubstr("what differs may be the machine"));
  EXPECT_THAT(found.notices.at(0), HasSubstr("different epochs"));
}

TEST_F(BaselineDiff, PairsOfOneRunComeFirstWhicheverWasHead) {
  (void)session(1, 100);
  (void)session(2, 150);
  const RunId run = pairs(1, 2, 1.25);
  const auto found = diff(1, 2);
  EXPECT_EQ(found.rows.at(0).basis, "pairs");
  EXPECT_EQ(found.rows.at(0).run, run.value);
  EXPECT_DOUBLE_EQ(*found.rows.at(0).ratio, 1.25);
  const auto turned = diff(2, 1);
  EXPECT_DOUBLE_EQ(*turned.rows.at(0).ratio, .8);
  EXPECT_DOUBLE_EQ(*turned.rows.at(0).ratio_low, 1 / 1.26);
  EXPECT_DOUBLE_EQ(*turned.rows.at(0).ratio_high, 1 / 1.24);
}

TEST_F(BaselineDiff, WhatOnlyOneSideHasIsSaid) {
  (void)session(1, 100);
  (void)queue_run(2);
  EXPECT_EQ(diff(1, 2).rows.at(0).note, "only a was measured");
  EXPECT_EQ(diff(2, 1).rows.at(0).note, "only b was measured");
}

TEST_F(BaselineDiff, SidesAreNamesCommitsOrTheirStarts) {
  const RunId run = session(1, 100);
  (void)session(2, 100);
  connection.run(
      "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at) VALUES (?, ?, ?, "
      "'v1', "
      "'ann', 'r', 0)",
      repository, run, epoch());
  const auto side = [&](const std::string& asked) { return find_diff_side(connection, repository, asked); };
  EXPECT_EQ(side("v1")->commit, hash_of(1));
  EXPECT_EQ(side("v1")->baseline, "v1");
  EXPECT_EQ(side(hash_of(2))->baseline, "");
  EXPECT_EQ(side("0000000").error().code, Errc::invalid);  // both start so
  for (const char* unknown : {"v2", "fffffff", "000", "%%%%%%%"})
    EXPECT_EQ(side(unknown).error().code, Errc::not_found) << unknown;
  EXPECT_EQ(diff_baselines(connection, repository, "v1", hash_of(1)).error().code, Errc::invalid);
}

}  // namespace baseline_diff_test
}  // namespace kernelgate::db
