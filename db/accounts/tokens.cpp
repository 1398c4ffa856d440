// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/tokens.hpp"

#include "core/units/limits.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

Token read_token(const Statement& row) {
  return {.id = row.id<TokenId>(0),
          .name = row.text(1),
          .role = known(parse_role(row.text(2)), row.text(2)),
          .created_at = row.instant(3),
          .revoked_at = row.maybe_instant(4),
          .last_used_at = row.maybe_instant(5)};
}

}  // namespace

Result<TokenId> add_token(Connection& connection, std::string_view name, std::string_view sha256, Role role,
                          Instant now) {
  if (name.empty()) return fail(Errc::invalid, "a token needs a name", "name");
  Statement insert = connection.query(
      "INSERT INTO tokens (name, sha256, role, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO "
      "NOTHING RETURNING id",
      name, sha256, to_string(role), now);
  if (!insert.step())
    return fail(Errc::conflict, "there is a token '" + std::string(name) + "' already", "name", "choose another name");
  return insert.id<TokenId>(0);
}

std::optional<Token> find_token(Connection& connection, std::string_view sha256) {
  Statement row = connection.query(
      "SELECT id, name, role, created_at, revoked_at, last_used_at FROM tokens WHERE sha256 = ? "
      "AND revoked_at IS NULL",
      sha256);
  if (!row.step()) return std::nullopt;
  return read_token(row);
}

std::vector<Token> list_tokens(Connection& connection, const Page& page) {
  Statement row = connection.query(
      "SELECT id, name, role, created_at, revoked_at, last_used_at FROM tokens WHERE id < ? ORDER "
      "BY id DESC LIMIT ?",
      first_below(page), row_limit(page));
  std::vector<Token> tokens;
  while (row.step()) tokens.push_back(read_token(row));
  return tokens;
}

Status revoke_token(Connection& connection, std::string_view name, Instant now) {
  connection.run("UPDATE tokens SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL", now, name);
  if (connection.changes() == 0)
    return fail(Errc::not_found, "no token '" + std::string(name) + "' that is not revoked", "name");
  connection.run("DELETE FROM logins WHERE token_id IN (SELECT id FROM tokens WHERE name = ?)", name);
  return {};
}

void touch_token(Connection& connection, TokenId id, Instant now) {
  connection.run("UPDATE tokens SET last_used_at = ? WHERE id = ?", now, id);
}

}  // namespace kernelgate::db
