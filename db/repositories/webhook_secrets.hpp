// SPDX-License-Identifier: Apache-2.0
#pragma once

// The secrets with which a forge signs the webhooks of one repository. Call inside a Database work.

#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

// The present one first, then the one that it replaced less than limits::kSecretOverlap ago; none: it has none.
[[nodiscard]] std::vector<std::string> webhook_secrets(Connection& connection, RepositoryId repository, Instant now);
void set_webhook_secret(Connection& connection, RepositoryId repository, std::string_view secret, Instant now);

}  // namespace kernelgate::db
