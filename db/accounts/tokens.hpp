// SPDX-License-Identifier: Apache-2.0
#pragma once

// Access tokens, known by the SHA-256 of their text alone. Call inside a Database work.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/role.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Token {
  TokenId id;
  std::string name;
  Role role = Role::read;
  Instant created_at{};
  std::optional<Instant> revoked_at, last_used_at;
};

// conflict: the name or the token is known.
[[nodiscard]] Result<TokenId> add_token(Connection& connection, std::string_view name, std::string_view sha256,
                                        Role role, Instant now);
// A token that is not revoked.
[[nodiscard]] std::optional<Token> find_token(Connection& connection, std::string_view sha256);
[[nodiscard]] std::vector<Token> list_tokens(Connection& connection, const Page& page = {});
// Its logins end with it.
[[nodiscard]] Status revoke_token(Connection& connection, std::string_view name, Instant now);
void touch_token(Connection& connection, TokenId id, Instant now);

}  // namespace kernelgate::db
