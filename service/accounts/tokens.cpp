// SPDX-License-Identifier: Apache-2.0
#include "service/accounts/tokens.hpp"

#include "db/accounts/audit.hpp"

namespace kernelgate::service {
namespace {

void log_token(db::Connection& connection, const std::string& actor, std::string_view action, const std::string& name,
               std::string detail, Instant now) {
  db::log_action(
      connection,
      {.actor = actor, .action = std::string(action), .subject = "token " + name, .detail = std::move(detail)}, now);
}

template <class Touch>
void touch(Store store, Touch work) {
  store.database().write_async(std::move(work), [](const Status&) {});
}

}  // namespace

Result<std::vector<Token>> list_tokens(Store store, const Page& page) {
  return store.read([&](db::Connection& connection) { return db::list_tokens(connection, page); });
}

Result<std::optional<Token>> find_token(Store store, const std::string& sha256) {
  return store.read([&](db::Connection& connection) { return db::find_token(connection, sha256); });
}

Result<TokenId> add_token(Store store, const std::string& name, const std::string& sha256, Role role,
                          const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) {
    auto id = db::add_token(connection, name, sha256, role, now);
    if (id && !actor.empty()) log_token(connection, actor, "token.create", name, std::string(to_string(role)), now);
    return id;
  });
}

Status revoke_token(Store store, const std::string& name, const std::string& reason, const std::string& actor,
                    Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    if (const Status done = db::revoke_token(connection, name, now); !done) return done;
    log_token(connection, actor, "token.revoke", name, reason, now);
    return {};
  });
}

Result<std::optional<Login>> find_login(Store store, const std::string& sha256, Instant now) {
  return store.read([&](db::Connection& connection) { return db::find_login(connection, sha256, now); });
}

Result<Instant> begin_login(Store store, const Token& token, const std::string& sha256, const std::string& peer,
                            Instant now) {
  return store.write([&](db::Connection& connection) {
    log_token(connection, token.name, "login.begin", token.name, "from " + peer, now);
    return db::add_login(connection, token.id, sha256, now);
  });
}

Status end_login(Store store, const std::string& sha256, const std::string& peer, Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    if (const auto login = db::find_login(connection, sha256, now)) {
      db::end_login(connection, login->id);
      log_token(connection, login->name, "login.end", login->name, "from " + peer, now);
    }
    return {};
  });
}

void touch_token(Store store, TokenId token, Instant now) {
  touch(store, [token, now](db::Connection& connection) { db::touch_token(connection, token, now); });
}

void touch_login(Store store, LoginId login, Instant now) {
  touch(store, [login, now](db::Connection& connection) { db::touch_login(connection, login, now); });
}

}  // namespace kernelgate::service
