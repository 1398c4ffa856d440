// SPDX-License-Identifier: Apache-2.0
#include "service/accounts/repositories.hpp"

#include "core/units/digest.hpp"
#include "db/accounts/audit.hpp"
#include "db/repositories/webhook_secrets.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {

Result<std::vector<Repository>> list_repositories(Store store, const Page& page) {
  return store.read([&](db::Connection& connection) { return db::list_repositories(connection, page); });
}

Result<Repository> get_repository(Store store, std::string_view name) {
  return store.read([&](db::Connection& connection) { return db::get_repository(connection, name); });
}

Result<Repository> add_repository(Store store, const NewRepository& wanted, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<Repository> {
    const auto id = db::add_repository(connection, wanted, now);
    if (!id) return pass_on(id);
    db::log_action(
        connection,
        {.actor = actor, .action = "repository.add", .subject = "repository " + wanted.name, .detail = wanted.url},
        now);
    return db::get_repository(connection, *id);
  });
}

Result<Repository> set_manifest(Store store, std::string_view name, const std::string& toml, const std::string& actor,
                                Instant now) {
  return store.write([&](db::Connection& connection) -> Result<Repository> {
    auto repository = db::get_repository(connection, name);
    if (!repository) return pass_on(repository);
    if (const Status set = db::set_manifest(connection, repository->id, toml); !set) return pass_on(set);
    db::log_action(connection,
                   {.actor = actor,
                    .action = "repository.manifest",
                    .subject = "repository " + repository->name,
                    .detail = toml.empty() ? "none" : sha256_hex(toml)},
                   now);
    return db::get_repository(connection, repository->id);
  });
}

Result<std::string> new_webhook_secret(Store store, std::string_view name, const std::string& actor, Instant now) {
  return write_of(store, name, [&](db::Connection& connection, RepositoryId id) -> Result<std::string> {
    const std::string secret = random_hex(32);
    db::set_webhook_secret(connection, id, secret, now);
    db::log_action(connection,
                   {.actor = actor,
                    .action = "repository.webhook_secret",
                    .subject = "repository " + std::string(name),
                    .detail = {}},
                   now);
    return secret;
  });
}

Result<std::vector<std::string>> webhook_secrets(Store store, std::string_view name, Instant now) {
  return read_of(store, name, [&](db::Connection& connection, RepositoryId id) -> Result<std::vector<std::string>> {
    auto secrets = db::webhook_secrets(connection, id, now);
    if (secrets.empty()) return fail(Errc::not_found, "the repository has no secret", "repository");
    return secrets;
  });
}

}  // namespace kernelgate::service
