// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/audit.hpp"
#include "db/accounts/tokens.hpp"
#include "db/history/counts.hpp"
#include "db/runs/logs.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace accounts_test {

using Accounts = StoreTest;

TEST_F(Accounts, ARevokedTokenIsNotFound) {
  const auto id = add_token(connection, "ci", "hash", Role::trigger, at(1));
  ASSERT_TRUE(id);
  EXPECT_EQ(find_token(connection, "hash")->role, Role::trigger);
  EXPECT_FALSE(find_token(connection, "other"));
  touch_token(connection, *id, at(5));
  EXPECT_EQ(find_token(connection, "hash")->last_used_at, at(5));
  ASSERT_TRUE(revoke_token(connection, "ci", at(6)));
  EXPECT_FALSE(find_token(connection, "hash"));
  EXPECT_EQ(revoke_token(connection, "ci", at(7)).error().code, Errc::not_found);
  EXPECT_EQ(list_tokens(connection).at(0).revoked_at, at(6));
}

TEST_F(Accounts, TokenNamesAndHashesAreTakenOnce) {
  ASSERT_TRUE(add_token(connection, "ci", "hash", Role::read, at(1)));
  EXPECT_EQ(add_token(connection, "ci", "hash2", Role::read, at(1)).error().code, Errc::conflict);
  EXPECT_EQ(add_token(connection, "ci2", "hash", Role::read, at(1)).error().code, Errc::conflict);
  EXPECT_EQ(add_token(connection, "", "hash3", Role::read, at(1)).error().code, Errc::invalid);
}

TEST_F(Accounts, RolesHaveWords) {
  for (const Role role : kRoles) EXPECT_EQ(parse_role(to_string(role)), role);
  EXPECT_FALSE(parse_role("root"));
}

TEST_F(Accounts, ActsAreKeptInOrder) {
  for (int i = 0; i < 3; ++i)
    log_action(connection, {.actor = "ann", .action = "run.cancel", .subject = std::to_string(i), .detail = {}}, at(i));
  const auto actions = list_actions(connection, {.limit = 2});
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[0].action.subject, "2");
  EXPECT_EQ(list_actions(connection, {.before = actions[1].id}).at(0).action.subject, "0");
}

TEST_F(Accounts, ActsAreFoundByWhoWhatAndWhen) {
  const auto log = [&](const char* actor, const char* action, const char* subject, int when) {
    log_action(connection, {.actor = actor, .action = action, .subject = subject, .detail = {}}, at(when));
  };
  log("ann", "run.cancel", "run 1", 1);
  log("bob", "run.retry", "run 1", 2);
  log("bob", "runner.other", "run 2", 3);
  const auto found = [&](const ActionFilter& filter) {
    std::string out;
    for (const LoggedAction& one : list_actions(connection, {}, filter)) out += one.action.action + " ";
    return out;
  };
  EXPECT_EQ(found({.actor = "bob"}), "runner.other run.retry ");
  EXPECT_EQ(found({.action = "run"}), "run.retry run.cancel ");
  EXPECT_EQ(found({.action = "run.cancel"}), "run.cancel ");
  EXPECT_EQ(found({.subject = "run 1"}), "run.retry run.cancel ");
  EXPECT_EQ(found({.since = at(2)}), "runner.other run.retry ");
  EXPECT_EQ(found({.actor = "bob", .action = "run"}), "run.retry ");
}

TEST_F(Accounts, CountsTellTheQueueFromTheWork) {
  (void)queue_run(3);
  (void)queue_run(4);
  (void)queue_run(5);
  ASSERT_TRUE(claim_job(connection, {.lease_sha256 = "l"}));
  finish(working_run(6), Conclusion::passed);
  const Counts counts = count_all(connection);
  EXPECT_EQ(counts.runs_by_state.at("queued"), 2);
  EXPECT_EQ(counts.runs_by_state.at("claimed"), 1);
  EXPECT_EQ(counts.runs_by_conclusion.at("passed"), 1);
  EXPECT_EQ(counts.jobs_queued, 2);
  EXPECT_EQ(counts.jobs_leased, 1);
  EXPECT_EQ(counts.oldest_queued_at, at(4));
  EXPECT_GT(counts.file.value, 0u);
}

TEST_F(Accounts, LogsComeBackWordForWord) {
  const RunId run = working_run(1);
  const std::string text("nul \0 and \xff bytes\n", 18);
  ASSERT_TRUE(put_log(connection, run, "build-head", "first", at(1)));
  ASSERT_TRUE(put_log(connection, run, "build-head", text, at(2)));
  ASSERT_TRUE(put_log(connection, run, "check-head", "", at(2)));
  EXPECT_EQ(get_log(connection, run, "build-head"), text);
  EXPECT_EQ(get_log(connection, run, "check-head"), "");
  EXPECT_EQ(get_log(connection, run, "absent").error().code, Errc::not_found);
  const auto logs = list_logs(connection, run);
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[0].size.value, text.size());
  EXPECT_EQ(put_log(connection, run, "../up", "x", at(3)).error().code, Errc::invalid);
  finish(run, Conclusion::passed);
  EXPECT_EQ(put_log(connection, run, "late", "x", at(3)).error().code, Errc::conflict);
}

TEST_F(Accounts, OfALongLogBothEndsAreKept) {
  const RunId run = working_run(1);
  std::string text(limits::kLogMax.value + 1000, 'm');
  text.replace(0, 5, "FIRST");
  text.replace(text.size() - 4, 4, "LAST");
  ASSERT_TRUE(put_log(connection, run, "build-head", text, at(1)));
  const std::string kept = *get_log(connection, run, "build-head");
  EXPECT_LT(kept.size(), limits::kLogMax.value + 100);
  EXPECT_EQ(kept.substr(0, 5), "FIRST");
  EXPECT_EQ(kept.substr(kept.size() - 4), "LAST");
  EXPECT_NE(kept.find("1000 bytes left out"), std::string::npos);
  EXPECT_EQ(list_logs(connection, run).at(0).original.value, text.size());
}

TEST_F(Accounts, ARepositoryNameIsTakenOnce) {
  EXPECT_EQ(add_repository(connection, {.name = "kernels", .url = "u", .manifest = {}}, at(1)).error().code,
            Errc::conflict);
  EXPECT_EQ(get_repository(connection, "absent").error().code, Errc::not_found);
  ASSERT_TRUE(set_manifest(connection, repository, "schema = 1\n"));
  EXPECT_EQ(get_repository(connection, repository)->manifest, "schema = 1\n");
  EXPECT_EQ(set_manifest(connection, RepositoryId{99}, "").error().code, Errc::not_found);
  EXPECT_EQ(list_repositories(connection).size(), 1u);
}

}  // namespace accounts_test
}  // namespace kernelgate::db
