// SPDX-License-Identifier: Apache-2.0
#pragma once

// The server's configuration file: which forges (GitHub, GitLab) hear of runs, and who else is told. Read once at the
// start; secrets come from files of their own that only the server may read, and stay in memory.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate::forge {

// Text that was read from `file`, which alone stands in the configuration.
struct Secret {
  std::filesystem::path file;
  std::string text;
};

struct GithubConfig {
  std::string api_url = "https://api.github.com";  // GitHub Enterprise: https://HOST/api/v3; no slash at the end
  Secret token;                                    // personal or fine-grained; or …
  std::int64_t app_id = 0;                         // … a GitHub App's id and private key
  Secret app_key;
  Secret webhook_secret;               // of what GitHub sends to us
  std::string context = "kernelgate";  // of statuses, and the name of check runs
  bool statuses = true, checks = true, comments = true;
  [[nodiscard]] bool is_app() const { return app_id > 0; }
};

struct GitlabConfig {
  std::string api_url = "https://gitlab.com/api/v4";
  Secret token;
  std::string context = "kernelgate";
};

// A program that wants to know of finished runs.
struct WebhookConfig {
  std::string name;
  std::string url;
  Secret secret;                        // signs each body
  std::vector<Conclusion> conclusions;  // that it is told of
};

// A room that speaks Slack's incoming webhooks; the URL is a secret.
struct ChatConfig {
  std::string name;
  Secret url;
  std::vector<Conclusion> conclusions;
};

struct DeliveryConfig {
  std::chrono::milliseconds timeout = limits::kForgeTimeout;
  std::chrono::milliseconds first_pause = limits::kForgePauseFirst;
  std::chrono::milliseconds pause_max = limits::kForgePauseMax;
  std::chrono::seconds give_up = limits::kForgeGiveUp;
};

struct Config {
  std::optional<GithubConfig> github;
  std::optional<GitlabConfig> gitlab;
  std::vector<WebhookConfig> webhooks;
  std::vector<ChatConfig> chats;
  DeliveryConfig delivery;
};

// Paths of secrets are taken from `folder` where they are relative; the secrets are not read. invalid: each problem
// with its line and how to fix it.
[[nodiscard]] Result<Config> parse_config(std::string_view text, const std::string& origin,
                                          const std::filesystem::path& folder);

// The file and all secrets that it names.
[[nodiscard]] Result<Config> read_config(const std::filesystem::path& file);

}  // namespace kernelgate::forge
