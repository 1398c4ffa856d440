// SPDX-License-Identifier: Apache-2.0
#include "server/forge/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "core/manifest/toml_reader.hpp"
#include "core/units/limits.hpp"
#include "platform/files/secret_file.hpp"

namespace kernelgate::forge {
namespace {

using manifest::Problems;
using manifest::TableReader;

constexpr std::array kConclusions{Conclusion::passed,       Conclusion::regressed, Conclusion::broken,
                                  Conclusion::build_failed, Conclusion::undecided, Conclusion::infrastructure,
                                  Conclusion::cancelled};

// What reads every section: the place of relative files, and where problems go.
struct Reading {
  std::filesystem::path folder;
  Problems& problems;

  void secret(TableReader& reader, std::string_view key, Secret& out) const {
    if (const auto file = reader.text(key)) out.file = folder / *file;
  }
};

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

bool is_loopback_url(std::string_view url) {
  constexpr std::array kHosts{"http://127.0.0.1", "http://localhost", "http://[::1]"};
  return std::any_of(kHosts.begin(), kHosts.end(), [url](std::string_view host) {
    const char next = url.size() > host.size() ? url[host.size()] : '/';
    return starts(url, host) && (next == ':' || next == '/');
  });
}

// A token would travel in the clear over http, except on this machine.
void api_url(TableReader& reader, std::string& out) {
  const auto url = reader.text("api_url");
  if (!url) return;
  out = *url;
  while (!out.empty() && out.back() == '/') out.pop_back();
  if (!starts(out, "https://") && !is_loopback_url(out))
    reader.wrong("api_url", fmt::format("is '{}'", *url), "write https://HOST/… (http only to this machine itself)");
}

void context(TableReader& reader, std::string& out) {
  if (const auto text = reader.text("context")) out = *text;
  if (out.empty() || out.size() > limits::kNameMax)
    reader.wrong("context", "is empty or too long", fmt::format("1 to {} bytes", limits::kNameMax));
}

void flag(TableReader& reader, std::string_view key, bool& out) {
  if (const auto value = reader.flag(key)) out = *value;
}

GithubConfig read_github(const toml::table& table, const Reading& reading) {
  GithubConfig out;
  TableReader reader(table, "[github]", reading.problems);
  api_url(reader, out.api_url);
  context(reader, out.context);
  reading.secret(reader, "token_file", out.token);
  reading.secret(reader, "app_key_file", out.app_key);
  reading.secret(reader, "webhook_secret_file", out.webhook_secret);
  if (const auto id = reader.integer("app_id", 1, INT64_MAX)) out.app_id = *id;
  flag(reader, "statuses", out.statuses);
  flag(reader, "checks", out.checks);
  flag(reader, "comments", out.comments);
  if (out.is_app() == out.app_key.file.empty())
    reader.wrong("app_id", "and 'app_key_file' belong together", "give both or neither");
  else if (out.is_app() == !out.token.file.empty())
    reader.wrong("token_file", out.is_app() ? "stands beside an App" : "is missing",
                 "give either 'token_file', or 'app_id' and 'app_key_file'");
  reader.refuse_unknown();
  return out;
}

GitlabConfig read_gitlab(const toml::table& table, const Reading& reading) {
  GitlabConfig out;
  TableReader reader(table, "[gitlab]", reading.problems);
  api_url(reader, out.api_url);
  context(reader, out.context);
  reader.require("token_file", "GitLab wants a token with scope api");
  reading.secret(reader, "token_file", out.token);
  reader.refuse_unknown();
  return out;
}

std::vector<Conclusion> conclusions(TableReader& reader, std::vector<Conclusion> otherwise) {
  const auto words = reader.texts("conclusions");
  if (words.empty()) return otherwise;
  std::vector<Conclusion> out;
  for (const std::string& word : words) {
    const auto known = parse_conclusion(word);
    if (known)
      out.push_back(*known);
    else
      reader.wrong("conclusions", fmt::format("has '{}'", word),
                   "passed, regressed, broken, build_failed, undecided, infrastructure or cancelled");
  }
  return out;
}

// Names stand in the outbox and in its answers.
std::string name_of(TableReader& reader) {
  reader.require("name", "the outbox calls it so");
  const std::string name = reader.text("name").value_or("x");
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '-' || c == '_' || c == '.';
  });
  if (name.empty() || name.size() > limits::kNameMax || !plain)
    reader.wrong("name", "is not a plain name", "1 to 100 letters, digits, '-', '_' or '.'");
  return name;
}

template <class Many>
void refuse_twin(const Many& many, const std::string& name, TableReader& reader) {
  if (std::any_of(many.begin(), many.end(), [&](const auto& one) { return one.name == name; }))
    reader.wrong("name", fmt::format("'{}' is taken", name), "give each a name of its own");
}

void read_webhook(const toml::table& table, const Reading& reading, Config& out) {
  TableReader reader(table, "[[webhook]]", reading.problems);
  WebhookConfig webhook{.name = name_of(reader), .url = {}, .secret = {}, .conclusions = {}};
  refuse_twin(out.webhooks, webhook.name, reader);
  reader.require("url", "where to send to");
  if (const auto url = reader.text("url")) webhook.url = *url;
  if (!webhook.url.empty() && !starts(webhook.url, "https://") && !starts(webhook.url, "http://"))
    reader.wrong("url", "is no web address", "write https://HOST/…");
  reader.require("secret_file", "each body is signed with it");
  reading.secret(reader, "secret_file", webhook.secret);
  webhook.conclusions = conclusions(reader, {kConclusions.begin(), kConclusions.end()});
  reader.refuse_unknown();
  out.webhooks.push_back(std::move(webhook));
}

void read_chat(const toml::table& table, const Reading& reading, Config& out) {
  TableReader reader(table, "[[chat]]", reading.problems);
  ChatConfig chat{.name = name_of(reader), .url = {}, .conclusions = {}};
  refuse_twin(out.chats, chat.name, reader);
  reader.require("url_file", "the incoming webhook's URL is a secret: store it in a file");
  reading.secret(reader, "url_file", chat.url);
  chat.conclusions = conclusions(
      reader, {Conclusion::regressed, Conclusion::broken, Conclusion::build_failed, Conclusion::infrastructure});
  reader.refuse_unknown();
  out.chats.push_back(std::move(chat));
}

DeliveryConfig read_delivery(const toml::table& table, const Reading& reading) {
  DeliveryConfig out;
  TableReader reader(table, "[delivery]", reading.problems);
  const auto seconds = [&reader](std::string_view key, double least, double most, auto& place) {
    using Unit = std::decay_t<decltype(place)>;
    if (const auto value = reader.number(key, least, most))
      place = std::chrono::duration_cast<Unit>(std::chrono::duration<double>(*value));
  };
  seconds("timeout_s", 0.1, 120, out.timeout);
  seconds("first_pause_s", 0.01, 60, out.first_pause);
  seconds("pause_max_s", 0.1, 3600, out.pause_max);
  seconds("give_up_s", 1, 30 * 86400, out.give_up);
  reader.refuse_unknown();
  return out;
}

void read_root(const toml::table& table, const Reading& reading, Config& out) {
  TableReader root(table, "", reading.problems);
  root.require("schema", "the first line is 'schema = 1'");
  if (const auto schema = root.integer("schema", 0, 1'000'000); schema && *schema != 1)
    root.wrong("schema", fmt::format("is {}", *schema), "this version of kernelgate reads schema 1");
  if (const toml::table* one = root.table("github")) out.github = read_github(*one, reading);
  if (const toml::table* one = root.table("gitlab")) out.gitlab = read_gitlab(*one, reading);
  for (const toml::table* one : root.tables("webhook")) read_webhook(*one, reading, out);
  for (const toml::table* one : root.tables("chat")) read_chat(*one, reading, out);
  if (out.webhooks.size() + out.chats.size() > static_cast<std::size_t>(limits::kReceiversMax))
    root.wrong("webhook", fmt::format("and chat are {}", out.webhooks.size() + out.chats.size()),
               fmt::format("{} of both together at most", limits::kReceiversMax));
  if (const toml::table* one = root.table("delivery")) out.delivery = read_delivery(*one, reading);
  root.refuse_unknown();
}

Status fill(Secret& secret, const char* what, std::size_t bytes_max) {
  if (secret.file.empty()) return {};
  auto text = read_secret_file(secret.file, what, bytes_max);
  if (!text) return pass_on(text);
  secret.text = std::move(*text);
  return {};
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& origin, const std::filesystem::path& folder) {
  Problems problems(origin);
  Config out;
  if (const auto table = manifest::parse_toml(text, problems)) read_root(*table, Reading{folder, problems}, out);
  if (!problems.empty()) return tl::unexpected<Error>(problems.to_error());
  return out;
}

Result<Config> read_config(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return fail(Errc::invalid, "cannot read the configuration", file.string(), "give the path of a TOML file");
  auto config = parse_config(text.str(), file.string(), file.parent_path());
  if (!config) return config;
  std::vector<std::tuple<Secret*, const char*, std::size_t>> secrets;
  if (auto& github = config->github) {
    secrets.emplace_back(&github->token, "GitHub token", limits::kTokenFileMax);
    secrets.emplace_back(&github->app_key, "App's private key", limits::kKeyFileMax);
    secrets.emplace_back(&github->webhook_secret, "webhook secret", limits::kTokenFileMax);
  }
  if (config->gitlab) secrets.emplace_back(&config->gitlab->token, "GitLab token", limits::kTokenFileMax);
  for (auto& one : config->webhooks) secrets.emplace_back(&one.secret, "webhook secret", limits::kTokenFileMax);
  for (auto& one : config->chats) secrets.emplace_back(&one.url, "chat URL", limits::kTokenFileMax);
  for (const auto& [secret, what, most] : secrets)
    if (const Status filled = fill(*secret, what, most); !filled) return tl::unexpected<Error>(filled.error());
  return config;
}

}  // namespace kernelgate::forge
