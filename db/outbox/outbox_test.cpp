// SPDX-License-Identifier: Apache-2.0
#include "db/outbox/outbox.hpp"

#include <gmock/gmock.h>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace outbox_test {

using testing::ElementsAre;
using testing::IsEmpty;

class OutboxTest : public StoreTest {
 protected:
  std::vector<RunId> take_changes() {
    auto out = changed_runs(connection, 100);
    for (const RunId run : out) forget_change(connection, run);
    return out;
  }
  bool post(RunId run, const std::string& phase, const std::string& key = "key") {
    return post_message(connection, {.run = run, .target = "t", .key = key, .phase = phase}, at(0));
  }
  std::vector<std::string> statuses() {
    std::vector<std::string> out;
    for (const Message& one : list_messages(connection, "", {})) out.push_back(one.phase + " " + one.status);
    return out;
  }
  RunId claimed_run(int commit) {
    const RunId run = queue_run(commit);
    EXPECT_TRUE(claim_job(connection, {.runner = "r", .lease_sha256 = "x", .now = at(1)}));
    return run;
  }
};

TEST_F(OutboxTest, EachChangeOfAServersRunIsNoted) {
  const RunId run = queue_run(1);
  EXPECT_THAT(take_changes(), ElementsAre(run));
  ASSERT_TRUE(claim_job(connection, {.runner = "r", .lease_sha256 = "x", .now = at(1)}));
  EXPECT_THAT(take_changes(), ElementsAre(run));
  ASSERT_TRUE(set_progress(connection, run, RunState::measuring, "pair 1"));
  EXPECT_THAT(take_changes(), ElementsAre(run));
  ASSERT_TRUE(set_progress(connection, run, RunState::measuring, "pair 2"));
  EXPECT_THAT(take_changes(), IsEmpty());
  ASSERT_TRUE(release_job(connection, run, "x", {.reason = "stopping"}));
  EXPECT_THAT(take_changes(), ElementsAre(run));
  ASSERT_TRUE(cancel_run(connection, run, "no longer wanted", at(2)));
  EXPECT_THAT(take_changes(), ElementsAre(run));
}

TEST_F(OutboxTest, EndsOfEveryKindAreNoted) {
  const RunId original = claimed_run(1), lost = claimed_run(2);
  take_changes();
  finish(original, Conclusion::passed);
  EXPECT_THAT(take_changes(), ElementsAre(original));
  for (int i = 0; i < limits::kClaimAttemptsMax; ++i) {
    expire_leases(connection, at(100000 * (i + 1)));
    EXPECT_THAT(take_changes(), ElementsAre(lost)) << i;
    (void)claim_job(connection, {.runner = "r", .lease_sha256 = "x", .now = at(100000 * (i + 1))});
    take_changes();
  }
  EXPECT_EQ(get_run(connection, lost)->state, RunState::aborted);
  const RunId reused = queue_run(3);
  ASSERT_TRUE(finish_reused(connection, reused, original, at(3)));
  EXPECT_THAT(take_changes(), ElementsAre(reused));
}

TEST_F(OutboxTest, ARunThatIsRolledBackWasNeverThere) {
  {
    const Transaction transaction(connection);
    queue_run(1);
  }
  EXPECT_THAT(take_changes(), IsEmpty());
}

TEST_F(OutboxTest, RunsOfLocalCallersConcernNobody) {
  const RunId run = working_run(1);
  ASSERT_TRUE(set_progress(connection, run, RunState::measuring, ""));
  finish(run, Conclusion::passed);
  EXPECT_THAT(take_changes(), IsEmpty());
}

TEST_F(OutboxTest, ALaterMessageMakesWhatIsPendingObsolete) {
  const RunId run = queue_run(1);
  EXPECT_TRUE(post(run, "queued"));
  EXPECT_FALSE(post(run, "queued"));
  EXPECT_TRUE(post(run, "building"));
  EXPECT_TRUE(post(run, "queued"));  // its runner was lost
  EXPECT_TRUE(post(run, "finished"));
  EXPECT_THAT(statuses(), ElementsAre("finished pending", "queued obsolete", "building obsolete", "queued obsolete"));
  EXPECT_FALSE(post(run, "building"));
  EXPECT_TRUE(post(run, "building", "another key"));
}

TEST_F(OutboxTest, AnOlderRunIsSilentOnceANewerOneSpoke) {
  const RunId older = queue_run(1), newer = queue_run(1, "again");
  EXPECT_TRUE(post(older, "queued"));
  EXPECT_TRUE(post(newer, "queued"));
  EXPECT_FALSE(post(older, "finished"));
  EXPECT_TRUE(post(newer, "finished"));
}

TEST_F(OutboxTest, AnAttemptThatNobodyAnsweredIsRemembered) {
  ASSERT_TRUE(post(queue_run(1), "queued"));
  const Message first = due_messages(connection, "t", at(5), 10).at(0);
  ASSERT_TRUE(begin_attempt(connection, first.id, at(5)));
  EXPECT_EQ(key_facts(connection, "key").unanswered_at, at(5));  // and stays so when the program dies now
  end_attempt(connection, first, {.answered = false, .error = "timed out", .next_at = at(9)}, at(6));
  EXPECT_THAT(due_messages(connection, "t", at(8), 10), IsEmpty());
  const Message again = due_messages(connection, "t", at(9), 10).at(0);
  EXPECT_EQ(again.attempts, 1);
  EXPECT_EQ(again.delivery, first.delivery);
  ASSERT_TRUE(begin_attempt(connection, again.id, at(9)));
  end_attempt(connection, again, {.status = "delivered", .remote_id = "77", .next_at = at(9)}, at(10));
  EXPECT_EQ(key_facts(connection, "key").unanswered_at, at(5));  // the first one may still arrive
  EXPECT_EQ(key_facts(connection, "key").remote_id, "77");
  EXPECT_FALSE(begin_attempt(connection, again.id, at(11)));
}

TEST_F(OutboxTest, WhatIsOvertakenOnItsWayNeverComesBack) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(post(run, "queued"));
  const Message first = due_messages(connection, "t", at(5), 10).at(0);
  ASSERT_TRUE(begin_attempt(connection, first.id, at(5)));
  ASSERT_TRUE(post(run, "finished"));
  end_attempt(connection, first, {.status = "pending", .error = "busy", .next_at = at(6)}, at(6));
  EXPECT_THAT(statuses(), ElementsAre("finished pending", "queued obsolete"));
  const Message last = due_messages(connection, "t", at(7), 10).at(0);
  ASSERT_TRUE(begin_attempt(connection, last.id, at(7)));
  end_attempt(connection, last, {.status = "gave_up", .error = "refused", .next_at = at(8)}, at(8));
  EXPECT_THAT(statuses(), ElementsAre("finished gave_up", "queued obsolete"));
}

TEST_F(OutboxTest, WhatWasOvertakenAfterItWasGivenUpIsNotSaidAgain) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(post(run, "queued"));
  const Message first = due_messages(connection, "t", at(5), 10).at(0);
  end_attempt(connection, first, {.status = "gave_up", .error = "refused", .next_at = at(5)}, at(5));
  ASSERT_TRUE(post(run, "finished"));
  EXPECT_EQ(retry_message(connection, first.id, at(6)).error().code, Errc::conflict);
  EXPECT_THAT(statuses(), ElementsAre("finished pending", "queued gave_up"));
}

TEST_F(OutboxTest, WhatWasGivenUpIsCountedAndCanBeTakenUpAgain) {
  ASSERT_TRUE(post(queue_run(1), "queued"));
  const Message message = due_messages(connection, "t", at(5), 10).at(0);
  EXPECT_EQ(retry_message(connection, message.id, at(6)).error().code, Errc::conflict);
  end_attempt(connection, message, {.status = "gave_up", .error = "refused", .next_at = at(5)}, at(5));
  EXPECT_EQ(count_outbox(connection).gave_up, 1);
  EXPECT_FALSE(count_outbox(connection).oldest_pending);
  ASSERT_TRUE(retry_message(connection, message.id, at(6)));
  EXPECT_EQ(count_outbox(connection).oldest_pending, at(6));
  EXPECT_EQ(retry_message(connection, 99, at(6)).error().code, Errc::not_found);
  end_attempt(connection, message, {.status = "delivered", .next_at = at(6)}, at(7));
  prune_outbox(connection, at(7));
  EXPECT_EQ(count_outbox(connection).delivered, 1);
  prune_outbox(connection, at(8));
  EXPECT_EQ(count_outbox(connection).delivered, 0);
}

}  // namespace outbox_test
}  // namespace kernelgate::db
