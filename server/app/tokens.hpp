// SPDX-License-Identifier: Apache-2.0
#pragma once

// Making access tokens: "kg_" and 64 hex digits. The text is shown once; the store keeps its
// SHA-256 alone. Works on a store that a server has open.

#include <filesystem>
#include <string>

#include "core/units/role.hpp"
#include "core/units/time.hpp"
#include "service/store/store.hpp"

namespace kernelgate {

// The token's text. invalid: a name that is not 1 to 100 of [A-Za-z0-9._-]. conflict: it is taken.
[[nodiscard]] Result<std::string> create_token(service::Store store, const std::string& name, Role role, Instant now);

// A table for people: name, role, created, last used, revoked.
[[nodiscard]] Result<std::string> describe_tokens(service::Store store);

// Where no admin token is valid, makes one and writes it to `file`, readable by its owner only.
[[nodiscard]] Status ensure_admin_token(service::Store store, const std::filesystem::path& file, Instant now);

}  // namespace kernelgate
