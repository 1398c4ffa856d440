// SPDX-License-Identifier: Apache-2.0
#include "server/forge/routing.hpp"

#include <algorithm>
#include <array>

#include "core/units/repository_url.hpp"
#include "server/forge/run_report.hpp"

namespace kernelgate::forge {
namespace {

// Runs that nobody asked for on behalf of a commit: a baseline timed again, a search for a culprit.
constexpr std::array<std::string_view, 4> kSilentSources{"remeasure", "calibrate", "bisect", "backfill"};

// The host that people and git use, of the API's URL.
std::string host_of(const std::string& api_url) {
  std::string host = api_url.substr(api_url.find("://") + 3);
  host = host.substr(0, host.find_first_of(":/"));
  return host == "api.github.com" ? "github.com" : host;
}

bool wanted(const std::vector<Conclusion>& conclusions, const wire::Run& run) {
  return std::find(conclusions.begin(), conclusions.end(), conclusion_of(run)) != conclusions.end();
}

// Collects the messages of one run.
struct Post {
  const wire::Run& run;
  std::string phase;
  std::vector<service::NewMessage> messages{};

  void add(const std::string& target, const std::string& key) {
    messages.push_back({.run = RunId{run.id}, .target = target, .key = target + " " + key, .phase = phase});
  }
};

void to_github(const GithubConfig& config, const std::string& name, Post& post) {
  if (config.statuses) post.add("github-status", name + " " + post.run.commit + " " + config.context);
  if (config.checks && config.is_app()) post.add("github-check", std::to_string(post.run.id));
  // Of its progress a comment says nothing: each edit is a line in somebody's mailbox.
  if (config.comments && post.run.pull_request && post.phase != "building" && post.phase != "measuring")
    post.add("github-comment", name + " " + std::to_string(post.run.pull_request->number) + " " + config.context);
}

}  // namespace

Names names_of(const Config& config, std::string_view url, const std::string& full_name) {
  const auto place = parse_repository_url(url);
  const bool on_github = config.github && place && place->host == host_of(config.github->api_url);
  const bool on_gitlab = config.gitlab && place && place->host == host_of(config.gitlab->api_url);
  if (on_github) return {.github = full_name, .gitlab = {}};
  if (on_gitlab) return {.github = {}, .gitlab = full_name};
  if (place && same_full_name(place->full_name, full_name)) return {};  // lives at a forge that we do not speak to
  return {.github = config.github ? full_name : "", .gitlab = config.github ? "" : full_name};
}

std::vector<std::string> targets_of(const Config& config) {
  std::vector<std::string> out;
  if (config.github && config.github->statuses) out.push_back("github-status");
  if (config.github && config.github->checks && config.github->is_app()) out.push_back("github-check");
  if (config.github && config.github->comments) out.push_back("github-comment");
  if (config.gitlab) out.push_back("gitlab-status");
  for (const WebhookConfig& one : config.webhooks) out.push_back("webhook:" + one.name);
  for (const ChatConfig& one : config.chats) out.push_back("chat:" + one.name);
  return out;
}

std::string endpoint_of(const std::string& target) {
  return target.find(':') == target.npos ? target.substr(0, target.find('-')) : target;
}

std::vector<service::NewMessage> messages_for(const Config& config, const wire::Run& run, const Names& names) {
  const auto is_source = [&run](std::string_view source) { return run.source == source; };
  if (std::any_of(kSilentSources.begin(), kSilentSources.end(), is_source)) return {};
  Post post{.run = run, .phase = std::string(phase_of(run.state))};
  if (config.github && !names.github.empty()) to_github(*config.github, names.github, post);
  if (config.gitlab && !names.gitlab.empty())
    post.add("gitlab-status", names.gitlab + " " + run.commit + " " + config.gitlab->context);
  if (post.phase != service::kFinishedPhase) return std::move(post.messages);
  for (const WebhookConfig& one : config.webhooks)
    if (wanted(one.conclusions, run)) post.add("webhook:" + one.name, std::to_string(run.id));
  for (const ChatConfig& one : config.chats)
    if (wanted(one.conclusions, run)) post.add("chat:" + one.name, std::to_string(run.id));
  return std::move(post.messages);
}

}  // namespace kernelgate::forge
