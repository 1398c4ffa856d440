// SPDX-License-Identifier: Apache-2.0
#include "server/api/accounts/identity.hpp"

#include <algorithm>
#include <cctype>

#include "core/units/base64.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "server/api/accounts/browser.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate::api {
namespace {

// Cuts "<scheme> " off, whatever its case.
bool take_scheme(std::string_view& text, std::string_view lower_case_scheme) {
  if (text.size() <= lower_case_scheme.size() || text[lower_case_scheme.size()] != ' ') return false;
  const bool same =
      std::equal(lower_case_scheme.begin(), lower_case_scheme.end(), text.begin(),
                 [](char want, char got) { return want == std::tolower(static_cast<unsigned char>(got)); });
  if (same) text.remove_prefix(lower_case_scheme.size() + 1);
  return same;
}

tl::unexpected<Error> unknown_token() {
  return fail(Errc::unauthorized, "unknown or revoked token", "header Authorization",
              "send 'Authorization: Bearer kg_…'; 'kernelgate token create' makes a token");
}

// Nothing: no cookie, or a login that has ended.
Result<std::optional<http::Identity>> by_login(Context& context, const http::Request& request) {
  const std::string& url = context.settings.public_url;
  const std::string_view secret = login_secret(request, url);
  if (secret.empty()) return std::nullopt;
  const Instant now = context.clock.now();
  const auto login = service::find_login(context.store, sha256_hex(secret), now);
  if (!login) return pass_on(login);
  if (!*login) return std::nullopt;
  if (request.method != http::Method::get && request.method != http::Method::head)
    if (const Status ours = check_own_pages(request, url, secret); !ours) return pass_on(ours);
  if (!request.asked_again && now - (*login)->seen_at >= limits::kTouchEvery)
    service::touch_login(context.store, (*login)->id, now);
  return http::Identity{.role = (*login)->role, .token = (*login)->token, .name = (*login)->name, .login = true};
}

}  // namespace

std::optional<Credentials> parse_authorization(std::string_view header) {
  if (header.size() > limits::kAuthorizationMax) return std::nullopt;
  if (take_scheme(header, "bearer")) return Credentials{std::string(header), false};
  if (!take_scheme(header, "basic")) return std::nullopt;
  const auto pair = from_base64(header);
  const auto colon = pair ? pair->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  return Credentials{pair->substr(colon + 1), true};
}

Result<http::Identity> Identifier::operator()(Context& context, const http::Request& request) {
  const std::string_view header = request.header("authorization");
  if (!header.empty()) {
    const auto credentials = parse_authorization(header);
    return credentials ? by_token(context, credentials->token, credentials->basic) : unknown_token();
  }
  const bool is_image = request.path.rfind("/badge/", 0) == 0 || request.path.rfind("/plot/", 0) == 0;
  if (const auto token = request.query_value("token"); token && is_image) {
    auto identity = by_token(context, *token, false);
    if (identity && identity->role != Role::badge)
      return fail(Errc::forbidden, "only a token of role badge may stand in a URL", "query parameter token",
                  "'kernelgate token create --role badge' makes one");
    return identity;
  }
  auto login = by_login(context, request);
  if (!login) return pass_on(login);
  if (*login) return std::move(**login);
  const bool is_public = context.settings.public_read || (context.settings.open_metrics && request.path == "/metrics");
  if (!is_public) return http::Identity{};
  return http::Identity{.role = Role::read, .token = {}, .name = "public"};
}

Result<http::Identity> Identifier::by_token(Context& context, std::string_view text, bool basic) {
  const auto token = service::find_token(context.store, sha256_hex(text));
  if (!token) return pass_on(token);
  if (!*token) return unknown_token();
  const Instant now = context.clock.now();
  if (due((*token)->id, now)) service::touch_token(context.store, (*token)->id, now);
  const bool only_read = basic && includes((*token)->role, Role::read);
  return http::Identity{.role = only_read ? Role::read : (*token)->role, .token = (*token)->id, .name = (*token)->name};
}

bool Identifier::due(TokenId token, Instant now) {
  const std::lock_guard lock(mutex_);
  Instant& last = touched_[token];
  if (now - last < limits::kTouchEvery) return false;
  last = now;
  return true;
}

}  // namespace kernelgate::api
