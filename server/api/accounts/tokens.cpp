// SPDX-License-Identifier: Apache-2.0
// /tokens: who has access, and taking it away. Their texts are known to nobody; new ones are made on the server's own
// machine (kernelgate token create).
#include "service/accounts/tokens.hpp"

#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

wire::Token to_wire(const service::Token& token) {
  return {.name = token.name,
          .role = token.role,
          .created_at = token.created_at,
          .last_used_at = token.last_used_at,
          .revoked_at = token.revoked_at};
}

}  // namespace

Result<http::Answer> get_tokens(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto rows = service::list_tokens(context.store, *page);
  if (!rows) return pass_on(rows);
  wire::TokenPage out;
  for (const service::Token& token : *rows) out.tokens.push_back(to_wire(token));
  out.next = next_page(*rows, *page, [](const service::Token& last) { return last.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> post_token_revoke(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RevokeRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const std::string name(request.parameter("name"));
  if (name == request.identity.name)
    return fail(Errc::conflict, "this is the token that asks", "token " + name,
                "ask with another one, or revoke it by 'kernelgate token revoke'");
  const Status done =
      service::revoke_token(context.store, name, wanted->reason, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return no_content();
}

}  // namespace kernelgate::api
