// SPDX-License-Identifier: Apache-2.0
#include "db/repositories/webhook_secrets.hpp"

#include "core/units/limits.hpp"

namespace kernelgate::db {

std::vector<std::string> webhook_secrets(Connection& connection, RepositoryId repository, Instant now) {
  Statement row = connection.query(
      "SELECT webhook_secret, iif(webhook_secret_at > ?, webhook_secret_before, '') FROM repositories WHERE id = ?",
      now - limits::kSecretOverlap, repository);
  std::vector<std::string> out;
  if (!row.step()) return out;
  for (const int column : {0, 1})
    if (!row.text(column).empty()) out.push_back(row.text(column));
  return out;
}

void set_webhook_secret(Connection& connection, RepositoryId repository, std::string_view secret, Instant now) {
  connection.run(
      "UPDATE repositories SET webhook_secret_before = webhook_secret, webhook_secret = ?, webhook_secret_at = ? WHERE "
      "id = ?",
      secret, now, repository);
}

}  // namespace kernelgate::db
