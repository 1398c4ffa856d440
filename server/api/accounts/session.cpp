// SPDX-License-Identifier: Apache-2.0
// /session: a browser logs in with a token, asks who it is, and logs out.
#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "db/accounts/logins.hpp"
#include "db/accounts/tokens.hpp"
#include "server/api/accounts/browser.hpp"
#include "server/api/endpoints.hpp"
#include "server/http/problem.hpp"

namespace kernelgate::api {
namespace {

void log_login(db::Connection& connection, std::string_view act, const std::string& name, const std::string& peer,
               Instant now) {
  db::log_action(connection,
                 {.actor = name, .act = std::string(act), .subject = "token " + name, .detail = "from " + peer}, now);
}

// People log in; a runner's token belongs on its machine, a badge's in URLs.
Status check_token(const std::optional<db::Token>& token) {
  if (!token)
    return fail(Errc::unauthorized, "unknown or revoked token", "/token", "'kernelgate token create' makes a token");
  if (token->role == Role::runner || token->role == Role::badge)
    return fail(Errc::forbidden, "a token of role " + std::string(to_string(token->role)) + " does not log in",
                "/token", "use a token of role read, trigger or admin");
  return {};
}

http::Response too_many_failures() {
  const auto wait = std::to_string(limits::kLoginFailureWindow.count());
  http::Response out =
      http::problem(Error{Errc::too_many, "too many failed logins from this address", "/token", "wait " + wait + " s"});
  for (auto& [name, value] : out.headers)
    if (name == "Retry-After") value = wait;
  return out;
}

std::string reply(const std::string& name, Role role, std::string_view secret, Instant expires_at) {
  return wire::encode(wire::Caller{
      .name = name, .role = role, .by = "login", .csrf_token = csrf_token(secret), .expires_at = expires_at});
}

}  // namespace

Result<http::Answer> post_session(Context& context, const http::Request& request) {
  const std::string& url = context.settings.public_url;
  if (!from_own_pages(request, url).value_or(true))
    return fail(Errc::forbidden, "another site may not log a browser in", "header Origin", "use the server's own page");
  const auto wanted = wire::decode<wire::LoginRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  if (!context.logins.may_try(request.peer, now)) return too_many_failures();
  const std::string hash = sha256_hex(wanted->token);
  const auto token =
      context.database.read([&](db::Connection& connection) { return db::find_token(connection, hash); });
  if (!token) return pass_on(token);
  if (const Status fit = check_token(*token); !fit) {
    context.logins.failed(request.peer, now);
    log_warn("a login from " + request.peer + " was refused");
    return pass_on(fit);
  }
  const std::string& name = (*token)->name;
  const std::string secret = random_hex(32);
  const auto expires_at = context.database.write([&](db::Connection& connection) {
    log_login(connection, "login.begin", name, request.peer, now);
    return db::add_login(connection, (*token)->id, sha256_hex(secret), now);
  });
  if (!expires_at) return pass_on(expires_at);
  http::Response response = json(201, reply(name, (*token)->role, secret, *expires_at));
  response.headers.emplace_back("Set-Cookie", login_cookie(url, secret));
  return response;
}

Result<http::Answer> get_session(Context& context, const http::Request& request) {
  const http::Identity& who = request.identity;
  if (!who.login) {
    const bool by_token = who.token != TokenId{};
    return json(200, wire::encode(wire::Caller{.name = who.name,
                                               .role = who.role.value_or(Role::read),
                                               .by = by_token ? "token" : "public",
                                               .csrf_token = {},
                                               .expires_at = {}}));
  }
  const std::string_view secret = login_secret(request, context.settings.public_url);
  const auto login = context.database.read(
      [&](db::Connection& connection) { return db::find_login(connection, sha256_hex(secret), context.clock.now()); });
  if (!login) return pass_on(login);
  if (!*login) return fail(Errc::unauthorized, "the login has ended", "cookie", "log in again");
  return json(200, reply((*login)->name, (*login)->role, secret, (*login)->expires_at));
}

Result<http::Answer> delete_session(Context& context, const http::Request& request) {
  const std::string& url = context.settings.public_url;
  if (!request.identity.login)
    return fail(Errc::conflict, "there is no login to end", "cookie", "only a browser that logged in logs out");
  const Instant now = context.clock.now();
  const std::string hash = sha256_hex(login_secret(request, url));
  const auto ended = context.database.write([&](db::Connection& connection) -> Status {
    if (const auto login = db::find_login(connection, hash, now)) {
      db::end_login(connection, login->id);
      log_login(connection, "login.end", login->name, request.peer, now);
    }
    return {};
  });
  if (!ended) return pass_on(ended);
  http::Response response = no_content();
  response.headers.emplace_back("Set-Cookie", no_login_cookie(url));
  return response;
}

}  // namespace kernelgate::api
