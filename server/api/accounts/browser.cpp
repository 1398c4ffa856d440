// SPDX-License-Identifier: Apache-2.0
#include "server/api/accounts/browser.hpp"

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::api {
namespace {

constexpr std::string_view kHttps = "https://";
constexpr std::string_view kHttp = "http://";

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

bool is_tls(std::string_view public_url) { return starts(public_url, kHttps); }

// scheme://host[:port] of a URL.
std::string_view origin_of(std::string_view url) {
  const auto host = url.find("://");
  return host == std::string_view::npos ? "" : url.substr(0, url.find('/', host + 3));
}

std::string cookie(std::string_view public_url, std::string_view secret, std::int64_t max_age_s) {
  return std::string(cookie_name(public_url)) + "=" + std::string(secret) + "; Path=/; HttpOnly; SameSite=Strict" +
         (is_tls(public_url) ? "; Secure" : "") + "; Max-Age=" + std::to_string(max_age_s);
}

// Takes the same time whatever differs.
bool same(std::string_view given, std::string_view wanted) {
  if (given.size() != wanted.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(wanted[i]);
  return difference == 0;
}

}  // namespace

Result<std::string> clean_public_url(std::string url) {
  const std::string given = url;
  while (!url.empty() && url.back() == '/') url.pop_back();
  const std::string_view scheme = is_tls(url) ? kHttps : kHttp;
  const bool web = starts(url, scheme) && url.size() > scheme.size();
  if (given.empty() || (web && url.find_first_of(" \t\r\n?#@\"<>") == url.npos)) return url;
  return fail(Errc::invalid, "not a server's URL: '" + given.substr(0, 200) + "'", "--public-url",
              "write https://HOST");
}

std::string_view cookie_name(std::string_view public_url) {
  return is_tls(public_url) ? "__Host-kernelgate_login" : "kernelgate_login";
}

std::string_view login_secret(const http::Request& request, std::string_view public_url) {
  const std::string_view name = cookie_name(public_url);
  std::string_view rest = request.header("cookie");
  while (!rest.empty()) {
    const auto end = rest.find(';');
    std::string_view one = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    while (starts(one, " ")) one.remove_prefix(1);
    if (starts(one, name) && one.size() > name.size() && one[name.size()] == '=') return one.substr(name.size() + 1);
  }
  return {};
}

std::string login_cookie(std::string_view public_url, std::string_view secret) {
  return cookie(public_url, secret, std::chrono::seconds(limits::kLoginAgeMax).count());
}

std::string no_login_cookie(std::string_view public_url) { return cookie(public_url, "", 0); }

std::string csrf_token(std::string_view secret) { return Sha256().field("csrf").field(secret).hex(); }

std::optional<bool> from_own_pages(const http::Request& request, std::string_view public_url) {
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return std::nullopt;
  if (origin == origin_of(public_url)) return true;
  const std::string_view scheme = is_tls(origin) ? kHttps : kHttp;
  return starts(origin, scheme) && origin.substr(scheme.size()) == request.header("host");
}

Status check_own_pages(const http::Request& request, std::string_view public_url, std::string_view secret) {
  if (!from_own_pages(request, public_url).value_or(false))
    return fail(Errc::forbidden, "a login may change things only from the server's own pages", "header Origin",
                "other programs send 'Authorization: Bearer TOKEN' instead of a cookie");
  if (!same(request.header("x-csrf-token"), csrf_token(secret)))
    return fail(Errc::forbidden, "the CSRF token is missing or not that of this login", "header X-CSRF-Token",
                "send csrf_token of GET /api/v1/session");
  return {};
}

}  // namespace kernelgate::api
