// SPDX-License-Identifier: Apache-2.0
#pragma once

// The watched git repositories. Call with a Connection inside a Database work; nothing is kept
// between calls.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct NewRepository {
  std::string name{};
  std::string url{};
  std::string default_branch = "main";
  std::string manifest{};   // TOML text registered for it; empty: the tree's own counts
  std::string full_name{};  // owner/name at its forge; empty: as the URL says
};

struct Repository {
  RepositoryId id;
  std::string name, url, default_branch, manifest;
  Instant created_at;
  std::string full_name{};    // given, else read from the URL; empty: it lives at no forge
  bool named_by_url = false;  // then only that URL's host is meant
};

// conflict: the name is taken.
[[nodiscard]] Result<RepositoryId> add_repository(Connection& connection, const NewRepository& repository, Instant now);
[[nodiscard]] Result<Repository> get_repository(Connection& connection, RepositoryId id);
[[nodiscard]] Result<Repository> get_repository(Connection& connection, std::string_view name);
[[nodiscard]] std::vector<Repository> list_repositories(Connection& connection, const Page& page = {});
void set_default_branch(Connection& connection, RepositoryId id, std::string_view branch);
[[nodiscard]] Status set_manifest(Connection& connection, RepositoryId id, std::string_view toml);

}  // namespace kernelgate::db
