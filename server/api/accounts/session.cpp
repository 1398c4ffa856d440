// SPDX-License-Identifier: Apache-2.0
// /session: a browser logs in with a token, asks who it is, and logs out.
#include <charconv>

#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "server/api/accounts/browser.hpp"
#include "server/api/endpoints.hpp"
#include "server/http/problem.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate::api {
namespace {

// People log in; a runner's token belongs on its machine, a badge's in URLs.
Status check_token(const std::optional<service::Token>& token) {
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

std::optional<http::Response> check_login_head(Context&, const http::Request& request) {
  const std::string_view length = request.header("content-length");
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (length.empty() ||
      (error == std::errc{} && end == length.data() + length.size() && bytes <= limits::kLoginBodyMax))
    return std::nullopt;  // without one it is asked for
  return http::problem(Error{Errc::too_large, "a login has " + std::to_string(limits::kLoginBodyMax) + " bytes at most",
                             "header Content-Length", "send the token alone"});
}

Result<http::Answer> post_session(Context& context, const http::Request& request) {
  const std::string& url = context.settings.public_url;
  if (!from_own_pages(request, url).value_or(true))
    return fail(Errc::forbidden, "another site may not log a browser in", "header Origin", "use the server's own page");
  const auto wanted = wire::decode<wire::LoginRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  if (!context.logins.may_try(request.peer, now)) return too_many_failures();
  const auto token = service::find_token(context.store, sha256_hex(wanted->token));
  if (!token) return pass_on(token);
  if (const Status fit = check_token(*token); !fit) {
    context.logins.failed(request.peer, now);
    log_warn("a login from " + request.peer + " was refused");
    return pass_on(fit);
  }
  const std::string secret = random_hex(32);
  const auto expires_at = service::begin_login(context.store, **token, sha256_hex(secret), request.peer, now);
  if (!expires_at) return pass_on(expires_at);
  http::Response response = json(201, reply((*token)->name, (*token)->role, secret, *expires_at));
  response.headers.emplace_back("Set-Cookie", login_cookie(url, secret));
  return response;
}

Result<http::Answer> get_session(Context& context, const http::Request& request) {
  const http::Identity& caller = request.identity;
  if (!caller.login) {
    const bool by_token = caller.token != TokenId{};
    return json(200, wire::encode(wire::Caller{.name = caller.name,
                                               .role = caller.role.value_or(Role::read),
                                               .by = by_token ? "token" : "public",
                                               .csrf_token = {},
                                               .expires_at = {}}));
  }
  const std::string_view secret = login_secret(request, context.settings.public_url);
  const auto login = service::find_login(context.store, sha256_hex(secret), context.clock.now());
  if (!login) return pass_on(login);
  if (!*login) return fail(Errc::unauthorized, "the login has ended", "cookie", "log in again");
  return json(200, reply((*login)->name, (*login)->role, secret, (*login)->expires_at));
}

Result<http::Answer> delete_session(Context& context, const http::Request& request) {
  const std::string& url = context.settings.public_url;
  if (!request.identity.login)
    return fail(Errc::conflict, "there is no login to end", "cookie", "only a browser that logged in logs out");
  const Status ended =
      service::end_login(context.store, sha256_hex(login_secret(request, url)), request.peer, context.clock.now());
  if (!ended) return pass_on(ended);
  http::Response response = no_content();
  response.headers.emplace_back("Set-Cookie", no_login_cookie(url));
  return response;
}

}  // namespace kernelgate::api
