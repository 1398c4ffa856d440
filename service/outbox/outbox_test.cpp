// SPDX-License-Identifier: Apache-2.0
// From a run's change to the message that a receiver gets, and what becomes of messages that nobody takes.
#include "service/outbox/outbox.hpp"

#include <gmock/gmock.h>

#include "db/accounts/audit.hpp"
#include "db/outbox/outbox.hpp"
#include "db/store/database.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace outbox_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class ServiceOutbox : public testing::Test {
 protected:
  ServiceOutbox() : database_(db::Database::open(folder_ / "store.db").value()), store_(*database_) {
    write([&](db::Connection& connection) {
      repository_ = *db::add_repository(connection, {.name = "kernels", .url = "file:///k", .manifest = {}}, db::at(0));
    });
  }
  template <class Work>
  void write(Work work) {
    ASSERT_TRUE(database_->write([&](db::Connection& connection) -> Status {
      work(connection);
      return {};
    }));
  }
  RunId queue(int commit) {
    RunId out;
    write([&](db::Connection& connection) {
      db::NewRun run{.repository = repository_, .commit = db::hash_of(commit)};
      run.branch = "main";
      run.idempotency_key = std::to_string(commit);
      out = db::add_run(connection, run, db::at(commit))->id;
    });
    return out;
  }
  void cancel(RunId run) {
    write([&](db::Connection& connection) { ASSERT_TRUE(db::cancel_run(connection, run, "enough", db::at(50))); });
  }
  // One message a run to each target, of the run's own key.
  Routing to(std::vector<std::string> targets) {
    return [this, targets](const wire::Run& run, const Repository& repository) {
      EXPECT_EQ(repository.name, "kernels");
      seen_.push_back(run.id);
      std::vector<NewMessage> out;
      for (const std::string& target : targets)
        out.push_back({.run = RunId{run.id},
                       .target = target,
                       .key = target + std::to_string(run.id),
                       .phase = is_finished(run.state) ? std::string(kFinishedPhase) : "queued"});
      return out;
    };
  }
  std::vector<std::string> listed(std::string_view status = {}) {
    std::vector<std::string> out;
    const auto found = list_messages(store_, status, {}).value();
    for (const auto& one : found) out.push_back(one.target + " " + std::to_string(one.run));
    return out;
  }
  void give_up(std::int64_t id) {
    write([&](db::Connection& connection) {
      const auto message = db::get_message(connection, id);
      db::end_attempt(connection, *message, {.status = "gave_up", .error = "404", .next_at = db::at(9)}, db::at(9));
    });
  }
  db::Folder folder_;
  std::unique_ptr<db::Database> database_;
  Store store_;
  RepositoryId repository_;
  std::vector<std::int64_t> seen_;
};

TEST_F(ServiceOutbox, EachChangeBecomesMessagesOnce) {
  queue(1);
  queue(2);
  EXPECT_EQ(post_messages(store_, to({"a", "b"}), 10, db::at(10)), true);
  EXPECT_THAT(listed(), ElementsAre("b 2", "a 2", "b 1", "a 1"));
  EXPECT_EQ(post_messages(store_, to({"a", "b"}), 10, db::at(11)), false) << "nothing changed since";
  EXPECT_THAT(seen_, ElementsAre(1, 2));
}

TEST_F(ServiceOutbox, ManyChangesAreTakenAFewAtATimeTheOldestFirst) {
  for (int commit = 1; commit <= 3; ++commit) queue(commit);
  EXPECT_EQ(post_messages(store_, to({"a"}), 2, db::at(10)), true);
  EXPECT_THAT(seen_, ElementsAre(1, 2));
  EXPECT_EQ(post_messages(store_, to({"a"}), 2, db::at(10)), true);
  EXPECT_THAT(seen_, ElementsAre(1, 2, 3));
}

TEST_F(ServiceOutbox, ARunThatConcernsNobodyIsForgotten) {
  queue(1);
  EXPECT_EQ(post_messages(store_, to({}), 10, db::at(10)), true);
  EXPECT_THAT(listed(), IsEmpty());
  EXPECT_EQ(post_messages(store_, to({}), 10, db::at(10)), false);
}

TEST_F(ServiceOutbox, WhatIsDueComesByTargetEachUpToTheLimit) {
  for (int commit = 1; commit <= 3; ++commit) queue(commit);
  ASSERT_TRUE(post_messages(store_, to({"a", "b"}), 10, db::at(10)));
  ASSERT_TRUE(postpone_message(store_, 1, db::at(20)));
  const auto due = [&](std::int64_t seconds, int limit) {
    std::vector<std::string> out;
    const auto found = due_messages(store_, {"b", "a"}, db::at(seconds), limit).value();
    for (const Message& one : found) out.push_back(one.target + " " + std::to_string(one.run.value));
    return out;
  };
  EXPECT_THAT(due(10, 2), ElementsAre("b 1", "b 2", "a 2", "a 3")) << "message 1 waits";
  EXPECT_THAT(due(20, 2), ElementsAre("b 1", "b 2", "a 1", "a 2"));
  EXPECT_THAT(due(9, 2), IsEmpty());
  EXPECT_THAT(due_messages(store_, {"c"}, db::at(20), 2).value(), IsEmpty());
}

TEST_F(ServiceOutbox, AnAttemptIsNotedBeforeItIsMadeAndOnceAtATime) {
  queue(1);
  ASSERT_TRUE(post_messages(store_, to({"a"}), 10, db::at(10)));
  const Message message = due_messages(store_, {"a"}, db::at(10), 1)->at(0);
  ASSERT_TRUE(begin_attempt(store_, message.id, db::at(11)));
  ASSERT_TRUE(end_attempt(store_, message, {.status = "pending", .error = "busy", .next_at = db::at(30)}, db::at(12)));
  const auto again = list_messages(store_, "pending", {})->at(0);
  EXPECT_EQ(again.attempts, 1);
  EXPECT_EQ(again.error, "busy");
  EXPECT_EQ(again.next_at, db::at(30));
  ASSERT_TRUE(begin_attempt(store_, message.id, db::at(30)));
  ASSERT_TRUE(
      end_attempt(store_, message, {.status = "delivered", .remote_id = "7", .next_at = db::at(30)}, db::at(31)));
  EXPECT_EQ(begin_attempt(store_, message.id, db::at(32)).error().code, Errc::conflict);
  EXPECT_EQ(contents_of(store_, message)->key.remote_id, "7") << "the next message of the key changes that one";
}

TEST_F(ServiceOutbox, ContentsAreTheRunAsItStandsNow) {
  const RunId run = queue(1);
  ASSERT_TRUE(post_messages(store_, to({"a"}), 10, db::at(10)));
  cancel(run);
  ASSERT_TRUE(post_messages(store_, to({"a"}), 10, db::at(60)));
  EXPECT_THAT(listed("obsolete"), ElementsAre("a 1")) << "the first one is out of date";
  const Message last = due_messages(store_, {"a"}, db::at(60), 1)->at(0);
  EXPECT_EQ(last.phase, kFinishedPhase);
  const auto found = contents_of(store_, last);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run.state, RunState::cancelled);
  EXPECT_EQ(found->run.reason, "enough");
  EXPECT_EQ(found->repository.id, repository_);
}

TEST_F(ServiceOutbox, ARetryIsLoggedAndOneThatIsRefusedIsNot) {
  queue(1);
  ASSERT_TRUE(post_messages(store_, to({"a"}), 10, db::at(10)));
  const auto acts = [&] {
    return database_->read([](db::Connection& connection) { return db::list_actions(connection); }).value();
  };
  EXPECT_EQ(retry_message(store_, 1, "ann", db::at(11)).error().code, Errc::conflict) << "it is pending";
  EXPECT_EQ(retry_message(store_, 2, "ann", db::at(11)).error().code, Errc::not_found);
  EXPECT_THAT(acts(), IsEmpty());
  give_up(1);
  EXPECT_THAT(listed("gave_up"), ElementsAre("a 1"));
  EXPECT_THAT(due_messages(store_, {"a"}, db::at(99), 1).value(), IsEmpty());
  const auto again = retry_message(store_, 1, "ann", db::at(12));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, wire::MessageStatus::pending);
  EXPECT_EQ(again->next_at, db::at(12));
  EXPECT_FALSE(again->ended_at);
  ASSERT_THAT(acts(), SizeIs(1));
  EXPECT_EQ(acts()[0].action.actor, "ann");
  EXPECT_EQ(acts()[0].action.subject, "message 1");
}

TEST_F(ServiceOutbox, TidyingDropsTargetsThatAreGoneAndForgetsWhatEndedLongAgo) {
  queue(1);
  ASSERT_TRUE(post_messages(store_, to({"a", "b"}), 10, db::at(10)));
  ASSERT_TRUE(tidy_outbox(store_, {"a"}, db::at(0), db::at(20)));
  EXPECT_THAT(listed("pending"), ElementsAre("a 1"));
  ASSERT_THAT(listed("obsolete"), ElementsAre("b 1"));
  EXPECT_EQ(list_messages(store_, "obsolete", {})->at(0).error, "no longer configured");
  ASSERT_TRUE(tidy_outbox(store_, {"a"}, db::at(20), db::at(21)));
  EXPECT_THAT(listed("obsolete"), SizeIs(1)) << "it ended at that second, not before";
  ASSERT_TRUE(tidy_outbox(store_, {"a"}, db::at(21), db::at(22)));
  EXPECT_THAT(listed(), ElementsAre("a 1")) << "what is pending stays however old it is";
}

}  // namespace outbox_test
}  // namespace kernelgate::service
