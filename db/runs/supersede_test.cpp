// SPDX-License-Identifier: Apache-2.0
#include "db/runs/supersede.hpp"

#include "db/outbox/deliveries.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace supersede_test {

class Supersede : public StoreTest {
 protected:
  RunId push(int commit, const std::string& branch, std::optional<std::int64_t> pull_request = {}, bool fork = false,
             const std::string& source = "webhook") {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = branch;
    run.source = source;
    run.base = {wire::BaseKind::merge_base, "main"};
    run.idempotency_key = std::to_string(++keys_);
    run.held = fork;
    run.pushed_at = at(commit);
    if (pull_request)
      run.pull_request = wire::PullRequest{.number = *pull_request,
                                           .target = "main",
                                           .head_repository = fork ? "ada/kernels" : "acme/kernels",
                                           .fork = fork,
                                           .sender = "ada"};
    return add_run(connection, run, at(commit))->id;
  }
  RunState state(RunId id) { return get_run(connection, id)->state; }
  Line branch(const std::string& name) { return {.repository = repository, .branch = name}; }

 private:
  int keys_ = 0;
};

TEST_F(Supersede, ANewerPushCancelsTheOlderUnfinishedRunsOfItsBranchAlone) {
  const RunId older = push(1, "topic");
  const RunId other = push(2, "other");
  const RunId by_hand = push(3, "topic", {}, false, "cli");
  const RunId of_fork = push(4, "topic", 9, true);
  const RunId working = push(5, "topic");
  const RunId newer = push(6, "topic");
  const auto ended = supersede(connection, branch("topic"), newer, at(7));
  ASSERT_TRUE(ended);
  EXPECT_EQ(*ended, (std::vector{older, working}));
  const db::Run run = *get_run(connection, older);
  EXPECT_EQ(run.state, RunState::cancelled);
  EXPECT_EQ(run.superseded_by, newer);
  EXPECT_EQ(run.reason, "superseded by run " + std::to_string(newer.value));
  EXPECT_EQ(to_wire(run).superseded_by, newer.value);
  for (const RunId id : {other, by_hand, newer}) EXPECT_EQ(state(id), RunState::queued);
  EXPECT_EQ(state(of_fork), RunState::held);
  EXPECT_TRUE(supersede(connection, branch("topic"), newer, at(8))->empty());
}

TEST_F(Supersede, FinishedRunsAndTheSameCommitStay) {
  const RunId done = push(1, "topic");
  ASSERT_TRUE(cancel_run(connection, done, "by hand", at(2)));
  const RunId same = push(3, "topic");
  const RunId again = push(3, "topic");
  EXPECT_TRUE(supersede(connection, branch("topic"), again, at(4))->empty());
  EXPECT_EQ(get_run(connection, done)->reason, "by hand");
  EXPECT_EQ(state(same), RunState::queued);
}

TEST_F(Supersede, APullRequestOfOurOwnIsItsBranchToo) {
  const RunId pushed = push(1, "topic");
  const RunId pulled = push(2, "topic", 7);
  const RunId of_fork = push(3, "topic", 8, true);
  const RunId newer = push(4, "topic", 7);
  const Line line{.repository = repository, .branch = "topic", .pull_request = 7};
  EXPECT_EQ(*supersede(connection, line, newer, at(5)), (std::vector{pushed, pulled}));
  EXPECT_EQ(state(of_fork), RunState::held);
  const Line fork{.repository = repository, .branch = {}, .pull_request = 8};
  EXPECT_EQ(*cancel_line(connection, fork, "pull request 8 was closed", at(6)), std::vector{of_fork});
  EXPECT_EQ(get_run(connection, of_fork)->reason, "pull request 8 was closed");
}

TEST_F(Supersede, ANewTargetEndsTheRunAgainstTheOldOne) {
  const RunId old = push(1, "topic", 7);
  wire::PullRequest elsewhere = *get_run(connection, old)->pull_request;
  elsewhere.target = "next";
  const RunId newer = push(1, "topic", 7);
  ASSERT_TRUE(set_pull_request(connection, newer, elsewhere));
  const Line line{.repository = repository, .branch = "topic", .pull_request = 7};
  EXPECT_EQ(*supersede(connection, line, newer, at(2)), std::vector{old});
}

TEST_F(Supersede, WhoComesLateIsKnown) {
  const RunId newest = push(9, "topic");
  EXPECT_EQ(newer_on(connection, branch("topic"), at(8)), newest);
  EXPECT_EQ(newer_on(connection, branch("topic"), at(9)), std::nullopt);
  EXPECT_EQ(newer_on(connection, branch("other"), at(8)), std::nullopt);
}

TEST_F(Supersede, ATwinIsFoundAndLearnsItsPullRequest) {
  const wire::BaseRequest base{wire::BaseKind::merge_base, "main"};
  const RunId pushed = push(1, "topic");
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, 7), pushed);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), {wire::BaseKind::merge_base, "next"}, 7), std::nullopt);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(2), base, 7), std::nullopt);
  const wire::PullRequest seven{
      .number = 7, .target = "main", .head_repository = "a/k", .fork = false, .sender = "ada"};
  ASSERT_TRUE(set_pull_request(connection, pushed, seven));
  EXPECT_EQ(get_run(connection, pushed)->pull_request->number, 7);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, 8), std::nullopt);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, std::nullopt), pushed);
  ASSERT_TRUE(cancel_run(connection, pushed, "x", at(2)));
  EXPECT_EQ(set_pull_request(connection, pushed, seven).error().code, Errc::conflict);
  (void)push(3, "topic", 9, true);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(3), base, 9), std::nullopt);
}

class Deliveries : public StoreTest {};

TEST_F(Deliveries, AreKeptOnceAndForgottenAfterTheirTime) {
  const Delivery first{.delivery = "d1", .event = "push", .outcome = "refused", .status = 404, .detail = "actor?"};
  EXPECT_FALSE(see_delivery(connection, "d1", at(1)));
  keep_delivery(connection, first, "{\"a\":1}", at(1));
  const auto seen = see_delivery(connection, "d1", at(2));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->seen, 2);
  EXPECT_EQ(seen->received_at, at(1));
  EXPECT_EQ(*delivery_body(connection, seen->id), "{\"a\":1}");

  keep_delivery(connection, {.delivery = "d1", .event = "push", .outcome = "queued", .status = 202}, "{}", at(3));
  const auto all = list_deliveries(connection, "");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].delivery.outcome, "queued");
  EXPECT_EQ(all[0].received_at, at(1));
  EXPECT_TRUE(list_deliveries(connection, "refused").empty());

  const Instant later = at(4) + limits::kDeliveriesKept;
  keep_delivery(connection, {.delivery = "d2", .event = "ping", .outcome = "ignored", .status = 202}, "{}", later);
  EXPECT_FALSE(see_delivery(connection, "d1", later));
  EXPECT_EQ(list_deliveries(connection, "").size(), 1U);
  EXPECT_EQ(delivery_body(connection, 999).error().code, Errc::not_found);
}

TEST_F(Deliveries, InstallationsAreKnownByRepository) {
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .added = {"Acme/Kernels", "acme/other"}}, at(1)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), 5);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .suspended = true}, at(2)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), std::nullopt);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .suspended = false}, at(3)));
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .removed = {"acme/other"}}, at(4)));
  EXPECT_EQ(installation_of(connection, "ACME/other"), std::nullopt);
  EXPECT_EQ(installation_of(connection, "ACME/kernels"), 5);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .gone = true}, at(5)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), std::nullopt);
}

}  // namespace supersede_test
}  // namespace kernelgate::db
