// SPDX-License-Identifier: Apache-2.0
#pragma once

// Forward-only schema changes, embedded from migrations/NNNN_verb_noun.sql. Each runs in one
// transaction together with its row in `migrations` (number, name, SHA-256 of the text) and
// user_version. Throws DbError.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "db/store/connection.hpp"

namespace kernelgate::db {

struct Migration {
  int number;
  std::string_view name;
  std::string_view sql;
};

[[nodiscard]] std::span<const Migration> embedded_migrations();

// The version of a file that `migrate` would change; nothing: it is up to date, or new. Refuses what migrate refuses.
[[nodiscard]] std::optional<std::int64_t> outdated_version(Connection& connection,
                                                           std::span<const Migration> all = embedded_migrations());

// Brings the file up to the last of `all`. Refuses (conflict) a file whose applied migrations
// differ from `all`, or that is newer than `all`; (corrupt) a file that is no store of ours.
void migrate(Connection& connection, std::span<const Migration> all = embedded_migrations());

}  // namespace kernelgate::db
