// SPDX-License-Identifier: Apache-2.0
#include "service/accounts/audit.hpp"

namespace kernelgate::service {
namespace {

void log_token(db::Connection& connection, const std::string& actor, std::string_view act, const std::string& name,
               std::string detail, Instant now) {
  if (actor.empty()) return;
  db::log_action(connection,
                 {.actor = actor, .act = std::string(act), .subject = "token " + name, .detail = std::move(detail)},
                 now);
}

}  // namespace

Result<std::vector<wire::LoggedAction>> list_actions(Store store, const db::Page& page, const ActFilter& filter) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::LoggedAction> out;
    for (const db::LoggedAction& act : db::list_actions(connection, page, filter)) out.push_back(db::to_wire(act));
    return out;
  });
}

Result<std::vector<Token>> list_tokens(Store store) {
  return store.read([](db::Connection& connection) { return db::list_tokens(connection); });
}

Result<TokenId> add_token(Store store, const std::string& name, const std::string& sha256, Role role,
                          const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) {
    auto id = db::add_token(connection, name, sha256, role, now);
    if (id) log_token(connection, actor, "token.create", name, std::string(to_string(role)), now);
    return id;
  });
}

Status revoke_token(Store store, const std::string& name, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    if (const Status done = db::revoke_token(connection, name, now); !done) return done;
    log_token(connection, actor, "token.revoke", name, {}, now);
    return {};
  });
}

}  // namespace kernelgate::service
