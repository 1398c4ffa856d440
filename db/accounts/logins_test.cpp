// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/logins.hpp"

#include "db/accounts/tokens.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace logins_test {

class Logins : public StoreTest {
 protected:
  TokenId token_ = *add_token(connection, "ann", "hash", Role::trigger, at(0));
};

constexpr Millis kIdle = limits::kLoginIdleMax;
constexpr Millis kAge = limits::kLoginAgeMax;

TEST_F(Logins, OneHasTheRoleOfItsToken) {
  EXPECT_EQ(add_login(connection, token_, "a", at(1)), at(1) + kAge);
  const auto login = find_login(connection, "a", at(2));
  ASSERT_TRUE(login);
  EXPECT_EQ(login->name, "ann");
  EXPECT_EQ(login->role, Role::trigger);
  EXPECT_FALSE(find_login(connection, "b", at(2)));
  end_login(connection, login->id);
  EXPECT_FALSE(find_login(connection, "a", at(2)));
}

TEST_F(Logins, AnIdleOneEndsAndAUsedOneLivesUntilItsAge) {
  (void)add_login(connection, token_, "a", at(0));
  const auto login = find_login(connection, "a", at(0) + kIdle - Millis{1});
  ASSERT_TRUE(login);
  EXPECT_FALSE(find_login(connection, "a", at(0) + kIdle));
  touch_login(connection, login->id, at(0) + kIdle);
  EXPECT_TRUE(find_login(connection, "a", at(0) + kIdle));
  touch_login(connection, login->id, at(0) + kAge - Millis{1});
  EXPECT_TRUE(find_login(connection, "a", at(0) + kAge - Millis{1}));
  EXPECT_FALSE(find_login(connection, "a", at(0) + kAge));
}

TEST_F(Logins, AllOfATokenDieWithIt) {
  const TokenId other = *add_token(connection, "bob", "hash2", Role::read, at(0));
  (void)add_login(connection, token_, "a", at(1));
  (void)add_login(connection, other, "b", at(1));
  ASSERT_TRUE(revoke_token(connection, "ann", at(2)));
  EXPECT_FALSE(find_login(connection, "a", at(2)));
  EXPECT_TRUE(find_login(connection, "b", at(2)));
}

TEST_F(Logins, OverTheLimitTheOldestOfTheTokenEnds) {
  for (int i = 0; i <= limits::kLoginsPerToken; ++i) (void)add_login(connection, token_, std::to_string(i), at(1));
  EXPECT_FALSE(find_login(connection, "0", at(1)));
  EXPECT_TRUE(find_login(connection, "1", at(1)));
  EXPECT_TRUE(find_login(connection, std::to_string(limits::kLoginsPerToken), at(1)));
}

TEST_F(Logins, DeadOnesAreForgotten) {
  (void)add_login(connection, token_, "a", at(0));
  (void)add_login(connection, token_, "b", at(0) + kIdle);
  Statement row = connection.query("SELECT count(*) FROM logins");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), 1);
}

}  // namespace logins_test
}  // namespace kernelgate::db
