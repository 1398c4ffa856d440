// SPDX-License-Identifier: Apache-2.0
#pragma once

// Access tokens, and the browsers that logged in with one. Both are known by the SHA-256 of their secret alone.

#include <optional>
#include <string>
#include <vector>

#include "db/accounts/logins.hpp"
#include "db/accounts/tokens.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::Login;
using db::LoginId;
using db::Token;

[[nodiscard]] Result<std::vector<Token>> list_tokens(Store store, const Page& page = {});
// A token that is not revoked.
[[nodiscard]] Result<std::optional<Token>> find_token(Store store, const std::string& sha256);
// Logged as token.create, where `actor` is not empty. conflict: the name is taken.
[[nodiscard]] Result<TokenId> add_token(Store store, const std::string& name, const std::string& sha256, Role role,
                                        const std::string& actor, Instant now);
// Its logins end with it. Logged as token.revoke.
[[nodiscard]] Status revoke_token(Store store, const std::string& name, const std::string& reason,
                                  const std::string& actor, Instant now);

[[nodiscard]] Result<std::optional<Login>> find_login(Store store, const std::string& sha256, Instant now);
// Of a browser at address `peer`; when it expires. Logged as login.begin.
[[nodiscard]] Result<Instant> begin_login(Store store, const Token& token, const std::string& sha256,
                                          const std::string& peer, Instant now);
// Logged as login.end, where the login was alive.
[[nodiscard]] Status end_login(Store store, const std::string& sha256, const std::string& peer, Instant now);

// When it was last used. These do not wait for the store.
void touch_token(Store store, TokenId token, Instant now);
void touch_login(Store store, LoginId login, Instant now);

}  // namespace kernelgate::service
