// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who may do what, and who did it: tokens and the audit log.

#include <string>
#include <vector>

#include "core/wire/accounts.hpp"
#include "db/accounts/audit.hpp"
#include "db/accounts/tokens.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::ActFilter;
using db::Token;

[[nodiscard]] Result<std::vector<wire::LoggedAction>> list_actions(Store store, const db::Page& page,
                                                                   const ActFilter& filter);

[[nodiscard]] Result<std::vector<Token>> list_tokens(Store store);
// `sha256`: of its secret. Logged as token.create, where `actor` is not empty. conflict: the name is taken.
[[nodiscard]] Result<TokenId> add_token(Store store, const std::string& name, const std::string& sha256, Role role,
                                        const std::string& actor, Instant now);
// Logged as token.revoke.
[[nodiscard]] Status revoke_token(Store store, const std::string& name, const std::string& actor, Instant now);

}  // namespace kernelgate::service
