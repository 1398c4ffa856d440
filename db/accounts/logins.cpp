// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/logins.hpp"

#include "core/units/limits.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {

Instant add_login(Connection& connection, TokenId token, std::string_view sha256, Instant now) {
  connection.run("DELETE FROM logins WHERE expires_at <= ? OR seen_at <= ?", now, now - limits::kLoginIdleMax);
  connection.run(
      "DELETE FROM logins WHERE token_id = ? AND id NOT IN (SELECT id FROM logins WHERE token_id = ? ORDER BY id DESC "
      "LIMIT ?)",
      token, token, limits::kLoginsPerToken - 1);
  const Instant expires_at = now + limits::kLoginAgeMax;
  connection.run("INSERT INTO logins (sha256, token_id, began_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)", sha256,
                 token, now, now, expires_at);
  return expires_at;
}

std::optional<Login> find_login(Connection& connection, std::string_view sha256, Instant now) {
  Statement row = connection.query(
      "SELECT l.id, l.token_id, t.name, t.role, l.began_at, l.seen_at, l.expires_at FROM logins l "
      "JOIN tokens t ON t.id = l.token_id WHERE l.sha256 = ? AND l.expires_at > ? AND l.seen_at > ? "
      "AND t.revoked_at IS NULL",
      sha256, now, now - limits::kLoginIdleMax);
  if (!row.step()) return std::nullopt;
  return Login{.id = row.id<LoginId>(0),
               .token = row.id<TokenId>(1),
               .name = row.text(2),
               .role = known(parse_role(row.text(3)), row.text(3)),
               .began_at = row.instant(4),
               .seen_at = row.instant(5),
               .expires_at = row.instant(6)};
}

void touch_login(Connection& connection, LoginId id, Instant now) {
  connection.run("UPDATE logins SET seen_at = ? WHERE id = ?", now, id);
}

void end_login(Connection& connection, LoginId id) { connection.run("DELETE FROM logins WHERE id = ?", id); }

}  // namespace kernelgate::db
