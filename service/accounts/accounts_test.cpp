// SPDX-License-Identifier: Apache-2.0
// Repositories, their secrets, tokens and logins: each act leaves its line in the audit log, a refused one leaves none.
#include <gmock/gmock.h>

#include "db/store/database.hpp"
#include "service/accounts/audit.hpp"
#include "service/accounts/repositories.hpp"
#include "service/accounts/tokens.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace accounts_test {

using testing::ElementsAre;

class ServiceAccounts : public testing::Test {
 protected:
  ServiceAccounts() : database_(db::Database::open(folder_ / "store.db").value()), store_(*database_) {}
  // Newest first: actor, action, subject, detail.
  std::vector<std::string> acts(const ActionFilter& filter = {}) {
    std::vector<std::string> out;
    const auto found = list_actions(store_, {}, filter).value();
    for (const auto& one : found) out.push_back(one.actor + "|" + one.action + "|" + one.subject + "|" + one.detail);
    return out;
  }
  Result<Repository> watch(const std::string& name) {
    return add_repository(store_, {.name = name, .url = "/srv/" + name, .manifest = {}}, "ann", db::at(1));
  }
  db::Folder folder_;
  std::unique_ptr<db::Database> database_;
  Store store_;
};

TEST_F(ServiceAccounts, WatchingARepositoryIsLoggedOnce) {
  const auto made = watch("kernels");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->default_branch, "main");
  EXPECT_EQ(watch("kernels").error().code, Errc::conflict);
  EXPECT_THAT(acts(), ElementsAre("ann|repository.add|repository kernels|/srv/kernels"));
  EXPECT_EQ(get_repository(store_, "kernels")->id, made->id);
  EXPECT_EQ(get_repository(store_, "Kernels").error().code, Errc::not_found) << "names are told apart by case";
}

TEST_F(ServiceAccounts, AManifestIsLoggedByItsHashAndItsRemovalToo) {
  ASSERT_TRUE(watch("kernels"));
  ASSERT_TRUE(set_manifest(store_, "kernels", "schema = 1\n", "bob", db::at(2)));
  EXPECT_EQ(set_manifest(store_, "none", "", "bob", db::at(2)).error().code, Errc::not_found);
  const auto removed = set_manifest(store_, "kernels", "", "bob", db::at(3));
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->manifest, "");
  EXPECT_THAT(acts({.actor = "bob", .action = {}, .subject = {}, .since = {}}),
              ElementsAre("bob|repository.manifest|repository kernels|none",
                          "bob|repository.manifest|repository kernels|" + sha256_hex("schema = 1\n")));
}

TEST_F(ServiceAccounts, AReplacedSecretCountsUntilItsTimeIsOverAndTheOneBeforeItAtOnceNoMore) {
  ASSERT_TRUE(watch("kernels"));
  const auto counting = [&](Instant now) { return webhook_secrets(store_, "kernels", now).value(); };
  EXPECT_EQ(webhook_secrets(store_, "kernels", db::at(1)).error().code, Errc::not_found);
  EXPECT_EQ(webhook_secrets(store_, "none", db::at(1)).error().code, Errc::not_found);
  const std::string first = new_webhook_secret(store_, "kernels", "ann", db::at(10)).value();
  EXPECT_THAT(counting(db::at(10)), ElementsAre(first));
  const std::string second = new_webhook_secret(store_, "kernels", "ann", db::at(20)).value();
  const Instant over = db::at(20) + limits::kSecretOverlap;
  EXPECT_THAT(counting(over - std::chrono::milliseconds(1)), ElementsAre(second, first));
  EXPECT_THAT(counting(over), ElementsAre(second));
  const std::string third = new_webhook_secret(store_, "kernels", "ann", db::at(30)).value();
  EXPECT_THAT(counting(db::at(30)), ElementsAre(third, second)) << "only the last one before it";
  EXPECT_EQ(new_webhook_secret(store_, "none", "ann", db::at(30)).error().code, Errc::not_found);
  const auto logged = acts({.actor = {}, .action = "repository.webhook_secret", .subject = {}, .since = {}});
  EXPECT_THAT(logged, testing::SizeIs(3));
  for (const std::string& line : logged)
    for (const std::string& secret : {first, second, third}) EXPECT_EQ(line.find(secret), std::string::npos);
}

TEST_F(ServiceAccounts, TokensAndLoginsAreLoggedAndEndTogether) {
  ASSERT_TRUE(add_token(store_, "ci", sha256_hex("kg_ci"), Role::trigger, "ann", db::at(1)));
  EXPECT_FALSE(add_token(store_, "ci", sha256_hex("kg_2"), Role::read, "ann", db::at(1)));
  ASSERT_TRUE(add_token(store_, "quiet", sha256_hex("kg_q"), Role::read, "", db::at(1))) << "made with the store";
  const auto token = find_token(store_, sha256_hex("kg_ci")).value();
  ASSERT_TRUE(token);
  EXPECT_FALSE(find_token(store_, "kg_ci").value()) << "by its hash alone";
  ASSERT_TRUE(begin_login(store_, *token, "s1", "10.0.0.1", db::at(2)));
  ASSERT_TRUE(begin_login(store_, *token, "s2", "10.0.0.2", db::at(2)));
  ASSERT_TRUE(end_login(store_, "s1", "10.0.0.1", db::at(3)));
  ASSERT_TRUE(end_login(store_, "s1", "10.0.0.1", db::at(4))) << "ended already: nothing to log";
  EXPECT_FALSE(find_login(store_, "s1", db::at(4)).value());
  EXPECT_TRUE(find_login(store_, "s2", db::at(4)).value());
  ASSERT_TRUE(revoke_token(store_, "ci", "left the team", "bob", db::at(5)));
  EXPECT_EQ(revoke_token(store_, "ci", "again", "bob", db::at(6)).error().code, Errc::not_found);
  EXPECT_FALSE(find_login(store_, "s2", db::at(6)).value());
  EXPECT_FALSE(find_token(store_, sha256_hex("kg_ci")).value());
  EXPECT_THAT(acts(), ElementsAre("bob|token.revoke|token ci|left the team", "ci|login.end|token ci|from 10.0.0.1",
                                  "ci|login.begin|token ci|from 10.0.0.2", "ci|login.begin|token ci|from 10.0.0.1",
                                  "ann|token.create|token ci|trigger"));
}

TEST_F(ServiceAccounts, TheLogIsFilteredByFamilySubjectAndTime) {
  ASSERT_TRUE(watch("a"));
  ASSERT_TRUE(watch("b"));
  ASSERT_TRUE(new_webhook_secret(store_, "a", "bob", db::at(9)));
  const auto count = [&](const ActionFilter& filter) { return acts(filter).size(); };
  EXPECT_EQ(count({.actor = {}, .action = "repository", .subject = {}, .since = {}}), 3U);
  EXPECT_EQ(count({.actor = {}, .action = "repo", .subject = {}, .since = {}}), 0U);
  EXPECT_EQ(count({.actor = {}, .action = {}, .subject = "repository a", .since = {}}), 2U);
  EXPECT_EQ(count({.actor = {}, .action = {}, .subject = {}, .since = db::at(9)}), 1U);
  EXPECT_EQ(count({.actor = {}, .action = {}, .subject = {}, .since = db::at(10)}), 0U);
}

}  // namespace accounts_test
}  // namespace kernelgate::service
