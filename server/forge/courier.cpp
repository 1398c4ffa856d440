// SPDX-License-Identifier: Apache-2.0
#include "server/forge/courier.hpp"

#include <algorithm>
#include <functional>

#include "core/units/hmac.hpp"

namespace kernelgate::forge {
namespace {

// The id of what is searched for, empty where it is on no page; or why the search failed.
struct Found {
  std::string id;
  std::optional<Outcome> failure;
};

using ReadPage = std::function<std::string(const std::string& answer, std::size_t& rows)>;

Found search(Github& github, const Story& story, const std::function<std::string(int)>& path, const ReadPage& read,
             Instant now, const std::stop_token& stop) {
  for (int page = 1; page <= limits::kForgePagesMax; ++page) {
    const auto answer = github.call(story.name, "GET", path(page), {}, stop);
    if (Outcome outcome = judge(answer, now); outcome.kind != Outcome::Kind::delivered) {
      outcome.answered = true;  // a question changes nothing over there
      return {.id = {}, .failure = std::move(outcome)};
    }
    std::size_t rows = 0;
    if (std::string id = read(answer->body, rows); !id.empty()) return {.id = std::move(id), .failure = {}};
    if (rows == 0) break;
  }
  return {};
}

template <class Many>
const auto* named(const Many& many, const std::string& target) {
  const std::string name = target.substr(target.find(':') + 1);
  const auto found = std::find_if(many.begin(), many.end(), [&](const auto& one) { return one.name == name; });
  return found == many.end() ? nullptr : &*found;
}

Outcome not_configured() { return {.kind = Outcome::Kind::refused, .error = "no longer configured"}; }

}  // namespace

Outcome Courier::to_github(const ForgeRequest& request, const Story& story, const std::stop_token& stop) {
  const auto answer = github_->call(story.name, request.method, request.path, request.body, stop);
  Outcome outcome = judge(answer, clock_.now());
  if (outcome.kind == Outcome::Kind::delivered) outcome.remote_id = id_in(answer->body);
  return outcome;
}

Outcome Courier::check(const Errand& errand, const Story& story, const std::stop_token& stop) {
  std::string id = errand.remote_id;
  if (id.empty() && errand.may_exist) {
    const Found found = search(
        *github_, story, [&](int page) { return check_search(github_->config(), story, page); },
        [&](const std::string& answer, std::size_t& rows) { return find_check(answer, story, rows); }, clock_.now(),
        stop);
    if (found.failure) return *found.failure;
    id = found.id;
  }
  return to_github(github_check(github_->config(), story, id), story, stop);
}

// A comment of ours may stand there from long ago, or be gone since.
Outcome Courier::comment(const Errand& errand, const Story& story, const std::stop_token& stop) {
  if (!errand.remote_id.empty()) {
    const ForgeRequest edit = github_comment(github_->config(), story, errand.remote_id);
    const auto answer = github_->call(story.name, edit.method, edit.path, edit.body, stop);
    if (!answer || answer->status != 404) return judge(answer, clock_.now());
  }
  const auto login = github_->own_login(story.name, stop);
  if (!login) return judge(tl::unexpected<Error>(login.error()), clock_.now());
  const Found found = search(
      *github_, story, [&](int page) { return comment_search(story, page); },
      [&](const std::string& answer, std::size_t& rows) {
        return find_comment(answer, github_->config(), *login, rows);
      },
      clock_.now(), stop);
  if (found.failure) return *found.failure;
  return to_github(github_comment(github_->config(), story, found.id), story, stop);
}

Outcome Courier::gitlab(const Story& story, const std::stop_token& stop) {
  const ForgeRequest request = gitlab_status(*config_.gitlab, story);
  const auto answer = caller_.call({.method = request.method,
                                    .url = config_.gitlab->api_url + request.path,
                                    .body = request.body,
                                    .token = {},
                                    .headers = {{"PRIVATE-TOKEN", config_.gitlab->token.text}},
                                    .timeout = config_.delivery.timeout},
                                   stop);
  if (answer && answer->status == 400 && says_it_already(answer->body))
    return {.kind = Outcome::Kind::delivered, .error = {}};
  return judge(answer, clock_.now());
}

Outcome Courier::webhook(const Errand& errand, const Story& story, const std::stop_token& stop) {
  const auto* target = named(config_.webhooks, errand.target);
  if (!target) return not_configured();
  const std::string body = webhook_body(story, errand.delivery);
  const std::string signature = "sha256=" + hmac_sha256_hex(target->secret.text, body);
  return judge(caller_.call({.method = "POST",
                             .url = target->url,
                             .body = body,
                             .token = {},
                             .headers = {{"X-Kernelgate-Event", "run.finished"},
                                         {"X-Kernelgate-Delivery", errand.delivery},
                                         {"X-Kernelgate-Signature-256", signature}},
                             .timeout = config_.delivery.timeout},
                            stop),
               clock_.now());
}

Outcome Courier::chat(const Errand& errand, const Story& story, const std::stop_token& stop) {
  const auto* target = named(config_.chats, errand.target);
  if (!target) return not_configured();
  return judge(caller_.call({.method = "POST",
                             .url = target->url.text,
                             .body = chat_body(story),
                             .token = {},
                             .timeout = config_.delivery.timeout},
                            stop),
               clock_.now());
}

Outcome Courier::deliver(const Errand& errand, const Story& story, const std::stop_token& stop) {
  const std::string& target = errand.target;
  if (target.starts_with("webhook:")) return webhook(errand, story, stop);
  if (target.starts_with("chat:")) return chat(errand, story, stop);
  if (target == "gitlab-status" && config_.gitlab) return gitlab(story, stop);
  if (!github_) return not_configured();
  if (target == "github-check") return check(errand, story, stop);
  if (target == "github-comment") return comment(errand, story, stop);
  return to_github(github_status(github_->config(), story), story, stop);
}

}  // namespace kernelgate::forge
