// SPDX-License-Identifier: Apache-2.0
#include "server/forge/github.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "server/forge/jwt.hpp"

namespace kernelgate::forge {
namespace {

using Json = nlohmann::json;

// A member's text, whatever the answer was.
std::string text_of(const HttpResponse& answer, const char* name) {
  const Json body = Json::parse(answer.body, nullptr, false);
  return body.is_object() && body.contains(name) && body[name].is_string() ? body[name].get<std::string>() : "";
}

bool is_moved(int status) { return status == 301 || status == 302 || status == 307 || status == 308; }

// GitHub's words are passed on: they name the missing permission.
tl::unexpected<Error> refused(const HttpResponse& answer, const std::string& what) {
  const Errc code = answer.status >= 500 || answer.status == 429 ? Errc::unavailable : Errc::forbidden;
  return fail(code, what + ": GitHub answered " + std::to_string(answer.status) + " " + text_of(answer, "message"),
              "github", "see docs/GITHUB.md for the permissions that are needed");
}

}  // namespace

Result<HttpResponse> Github::exchange(const std::string& token, const std::string& method, const std::string& url,
                                      const std::string& body, const std::stop_token& stop) {
  // On a connection that was kept, libcurl repeats by itself what was swallowed there. What changes something is sent
  // once, on a connection of its own: there must be no second comment.
  HttpCaller own;
  return (method == "GET" ? caller_ : own)
      .call({.method = method,
             .url = url,
             .body = body,
             .token = token,
             .accept = "application/vnd.github+json",
             .headers = {{"X-GitHub-Api-Version", "2022-11-28"}},
             .timeout = timeout_},
            stop);
}

Result<HttpResponse> Github::as_app(const std::string& method, const std::string& path, const std::stop_token& stop) {
  const auto jwt = app_jwt(config_.app_key.text, config_.app_id, clock_.now());
  if (!jwt) return pass_on(jwt);
  return exchange(*jwt, method, config_.api_url + path, {}, stop);
}

Result<Github::Token> Github::new_token(const std::string& repository, const std::stop_token& stop) {
  const auto found = as_app("GET", "/repos/" + repository + "/installation", stop);
  if (!found) return pass_on(found);
  const Json installation = Json::parse(found->body, nullptr, false);
  if (found->status != 200 || !installation.is_object() || !installation["id"].is_number_integer())
    return refused(*found, "the App is not installed for " + repository);
  const auto made = as_app("POST", "/app/installations/" + installation["id"].dump() + "/access_tokens", stop);
  if (!made) return pass_on(made);
  Token token{.text = text_of(*made, "token"), .ends = {}};
  if (made->status != 201 || token.text.empty()) return refused(*made, "the App gets no token for " + repository);
  token.ends = parse_iso8601(text_of(*made, "expires_at")).value_or(clock_.now());
  return token;
}

Result<std::string> Github::token_for(const std::string& repository, const std::stop_token& stop) {
  if (!config_.is_app()) return config_.token.text;
  {
    const std::lock_guard lock(mutex_);
    const auto kept = tokens_.find(repository);
    if (kept != tokens_.end() && clock_.now() + limits::kForgeTokenSpare < kept->second.ends) return kept->second.text;
  }
  auto token = new_token(repository, stop);
  if (!token) return pass_on(token);
  const std::lock_guard lock(mutex_);
  return (tokens_[repository] = std::move(*token)).text;
}

Result<HttpResponse> Github::call(const std::string& repository, const std::string& method, const std::string& path,
                                  const std::string& body, const std::stop_token& stop) {
  std::string url = config_.api_url + path;
  bool renewed = false, moved = false;
  for (;;) {
    const auto token = token_for(repository, stop);
    if (!token) return pass_on(token);
    auto answer = exchange(*token, method, url, body, stop);
    if (!answer) return answer;
    if (answer->status == 401 && config_.is_app() && !renewed) {
      renewed = true;
      const std::lock_guard lock(mutex_);
      tokens_.erase(repository);
      continue;
    }
    const std::string_view place = answer->header("location");
    if (is_moved(answer->status) && !moved && place.substr(0, config_.api_url.size() + 1) == config_.api_url + "/") {
      moved = true;
      url = place;
      continue;
    }
    return answer;
  }
}

Result<Permission> Github::permission(const std::string& repository, const std::string& user,
                                      const std::stop_token& stop) {
  const auto answer =
      call(repository, "GET", "/repos/" + repository + "/collaborators/" + url_escape(user) + "/permission", {}, stop);
  if (!answer) return pass_on(answer);
  if (answer->status == 404) return Permission::none;
  constexpr std::array<std::pair<std::string_view, Permission>, 4> kWords{{{"none", Permission::none},
                                                                           {"read", Permission::read},
                                                                           {"write", Permission::write},
                                                                           {"admin", Permission::admin}}};
  const std::string word = text_of(*answer, "permission");
  const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return one.first == word; });
  if (answer->status != 200 || known == kWords.end())
    return refused(*answer, "permission of " + user + " is not known");
  return known->second;
}

Result<std::string> Github::own_login(const std::string& repository, const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (!login_.empty()) return login_;
  }
  const auto answer = config_.is_app() ? as_app("GET", "/app", stop) : call(repository, "GET", "/user", {}, stop);
  if (!answer) return pass_on(answer);
  const std::string name = config_.is_app() ? text_of(*answer, "slug") + "[bot]" : text_of(*answer, "login");
  if (answer->status != 200 || name.empty() || name == "[bot]") return refused(*answer, "our own name is not known");
  const std::lock_guard lock(mutex_);
  return login_ = name;
}

}  // namespace kernelgate::forge
