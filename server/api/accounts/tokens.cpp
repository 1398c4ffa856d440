// SPDX-License-Identifier: Apache-2.0
// /tokens: who has access, and taking it away. Their texts are known to nobody; new ones are made on the server's own
// machine (kernelgate token create).
#include "db/accounts/tokens.hpp"

#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

std::optional<std::string> text_of(const std::optional<Instant>& at) {
  return at ? std::optional(to_iso8601(*at)) : std::nullopt;
}

std::string to_json(const db::Token& token) {
  return JsonObject{}
      .add("name", token.name)
      .add("role", to_string(token.role))
      .add("created_at", to_iso8601(token.created_at))
      .add("last_used_at", text_of(token.last_used_at))
      .add("revoked_at", text_of(token.revoked_at))
      .str();
}

}  // namespace

Result<http::Answer> get_tokens(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto rows =
      context.database.read([&](db::Connection& connection) { return db::list_tokens(connection, *page); });
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const db::Token& token : *rows) values.push_back(to_json(token));
  const auto next = next_page(*rows, *page, [](const db::Token& last) { return last.id.value; });
  return json(200, json_page("tokens", values, next));
}

Result<http::Answer> post_token_revoke(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RevokeRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const std::string name(request.parameter("name"));
  if (name == request.identity.name)
    return fail(Errc::conflict, "this is the token that asks", "token " + name,
                "ask with another one, or revoke it by 'kernelgate token revoke'");
  const Instant now = context.clock.now();
  const auto done = context.database.write([&](db::Connection& connection) -> Status {
    if (const Status revoked = db::revoke_token(connection, name, now); !revoked) return revoked;
    db::log_action(
        connection,
        {.actor = request.identity.name, .act = "token.revoke", .subject = "token " + name, .detail = wanted->reason},
        now);
    return {};
  });
  if (!done) return pass_on(done);
  return no_content();
}

}  // namespace kernelgate::api
