// SPDX-License-Identifier: Apache-2.0
#pragma once

// GitHub's REST API as far as we use it, with our credentials: a personal or fine-grained token, or an App's tokens of
// its installations, which are renewed before they end. Blocks; any thread may call.

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/units/time.hpp"
#include "platform/http/http_caller.hpp"
#include "server/forge/config.hpp"

namespace kernelgate::forge {

// What a user may do with a repository. GitHub's triage counts as read, maintain as write.
enum class Permission { none, read, write, admin };

class Github {
 public:
  // `config` and `clock` outlive it.
  Github(const GithubConfig& config, const Clock& clock, std::chrono::milliseconds timeout = limits::kForgeTimeout)
      : config_(config), clock_(clock), timeout_(timeout) {}

  // Of `user` for `repository` ("owner/name"), from the list of collaborators; none: untrusted. Any other refusal, and
  // a forge that is away, is an error: whoever asks must then refuse too.
  [[nodiscard]] Result<Permission> permission(const std::string& repository, const std::string& user,
                                              const std::stop_token& stop = {});

  // One exchange as ourselves. `path` begins with a slash and follows api_url; any status is a response. An App's token
  // that was refused is renewed once; a repository that moved is followed once, within the same forge.
  [[nodiscard]] Result<HttpResponse> call(const std::string& repository, const std::string& method,
                                          const std::string& path, const std::string& body,
                                          const std::stop_token& stop);

  // The name under which we write comments: "octocat", "kernelgate[bot]".
  [[nodiscard]] Result<std::string> own_login(const std::string& repository, const std::stop_token& stop);

  [[nodiscard]] const GithubConfig& config() const { return config_; }

 private:
  struct Token {
    std::string text;
    Instant ends{};
  };
  [[nodiscard]] Result<HttpResponse> exchange(const std::string& token, const std::string& method,
                                              const std::string& url, const std::string& body,
                                              const std::stop_token& stop);
  [[nodiscard]] Result<std::string> token_for(const std::string& repository, const std::stop_token& stop);
  [[nodiscard]] Result<Token> new_token(const std::string& repository, const std::stop_token& stop);
  [[nodiscard]] Result<HttpResponse> as_app(const std::string& method, const std::string& path,
                                            const std::stop_token& stop);

  const GithubConfig& config_;
  const Clock& clock_;
  std::chrono::milliseconds timeout_;
  HttpCaller caller_;
  std::mutex mutex_;
  std::map<std::string, Token> tokens_;  // of an App, by repository
  std::string login_;
};

}  // namespace kernelgate::forge
