// SPDX-License-Identifier: Apache-2.0
#pragma once

// Browsers that logged in with a token, known by the SHA-256 of their cookie's secret alone. One is alive until it is
// ended, too old, idle for too long, or its token is revoked. Call inside a Database work.

#include <optional>
#include <string>
#include <string_view>

#include "core/units/role.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

using LoginId = Strong<struct LoginTag, std::int64_t>;

struct Login {
  LoginId id;
  TokenId token;
  std::string name;  // the token's, as is the role
  Role role = Role::read;
  Instant began_at{}, seen_at{}, expires_at{};
};

// Ends the token's oldest logins where it has limits::kLoginsPerToken, and forgets those that are dead.
Instant add_login(Connection& connection, TokenId token, std::string_view sha256, Instant now);  // when it expires
[[nodiscard]] std::optional<Login> find_login(Connection& connection, std::string_view sha256, Instant now);
void touch_login(Connection& connection, LoginId id, Instant now);
void end_login(Connection& connection, LoginId id);

}  // namespace kernelgate::db
