// SPDX-License-Identifier: Apache-2.0
#include "db/repositories/repositories.hpp"

#include "core/units/repository_url.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectRepositories =
    "SELECT id, name, url, default_branch, manifest, created_at, full_name FROM repositories ";

Repository read_repository(const Statement& row) {
  Repository out{.id = row.id<RepositoryId>(0),
                 .name = row.text(1),
                 .url = row.text(2),
                 .default_branch = row.text(3),
                 .manifest = row.text(4),
                 .created_at = row.instant(5),
                 .full_name = row.text(6)};
  out.named_by_url = out.full_name.empty();
  if (const auto url = parse_repository_url(out.url); url && out.named_by_url) out.full_name = url->full_name;
  return out;
}

}  // namespace

Result<RepositoryId> add_repository(Connection& connection, const NewRepository& repository, Instant now) {
  if (repository.name.empty()) return fail(Errc::invalid, "a repository needs a name", "name");
  Statement insert = connection.query(
      "INSERT INTO repositories (name, url, default_branch, manifest, created_at, full_name) VALUES "
      "(?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (name) DO NOTHING RETURNING id",
      repository.name, repository.url, repository.default_branch, repository.manifest, now, repository.full_name);
  if (!insert.step())
    return fail(Errc::conflict, "there is a repository '" + repository.name + "' already", "name",
                "choose another name");
  return insert.id<RepositoryId>(0);
}

Result<Repository> get_repository(Connection& connection, RepositoryId id) {
  Statement row = connection.query(std::string(kSelectRepositories) + "WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no repository " + std::to_string(id.value));
  return read_repository(row);
}

Result<Repository> get_repository(Connection& connection, std::string_view name) {
  Statement row = connection.query(std::string(kSelectRepositories) + "WHERE name = ?", name);
  if (!row.step())
    return fail(Errc::not_found, "no repository '" + std::string(name.substr(0, 80)) + "'", "repository",
                "register it first");
  return read_repository(row);
}

std::vector<Repository> list_repositories(Connection& connection, const Page& page) {
  Statement row = connection.query(std::string(kSelectRepositories) + "WHERE id < ? ORDER BY id DESC LIMIT ?",
                                   first_below(page), row_limit(page));
  std::vector<Repository> repositories;
  while (row.step()) repositories.push_back(read_repository(row));
  return repositories;
}

void set_default_branch(Connection& connection, RepositoryId id, std::string_view branch) {
  connection.run("UPDATE repositories SET default_branch = ? WHERE id = ?", branch, id);
}

Status set_manifest(Connection& connection, RepositoryId id, std::string_view toml) {
  connection.run("UPDATE repositories SET manifest = ? WHERE id = ?", toml, id);
  if (connection.changes() == 0) return fail(Errc::not_found, "no repository " + std::to_string(id.value));
  return {};
}

}  // namespace kernelgate::db
