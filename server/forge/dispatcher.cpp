// SPDX-License-Identifier: Apache-2.0
#include "server/forge/dispatcher.hpp"

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

Found search(Github& github, const RunReport& report, const std::function<std::string(int)>& path, const ReadPage& read,
             Instant now, const std::stop_token& stop) {
  for (int page = 1; page <= limits::kForgePagesMax; ++page) {
    const auto answer = github.call(report.name, "GET", path(page), {}, stop);
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

Outcome OutboxDispatcher::to_github(const ForgeRequest& request, const RunReport& report, const std::stop_token& stop) {
  const auto answer = github_->call(report.name, request.method, request.path, request.body, stop);
  Outcome outcome = judge(answer, clock_.now());
  if (outcome.kind == Outcome::Kind::delivered) outcome.remote_id = id_in(answer->body);
  return outcome;
}

Outcome OutboxDispatcher::check(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop) {
  std::string id = dispatch.remote_id;
  if (id.empty() && dispatch.may_exist) {
    const Found found = search(
        *github_, report, [&](int page) { return check_search(github_->config(), report, page); },
        [&](const std::string& answer, std::size_t& rows) { return find_check(answer, report, rows); }, clock_.now(),
        stop);
    if (found.failure) return *found.failure;
    id = found.id;
  }
  return to_github(github_check(github_->config(), report, id), report, stop);
}

// A comment of ours may stand there from long ago, or be gone since.
Outcome OutboxDispatcher::comment(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop) {
  if (!dispatch.remote_id.empty()) {
    const ForgeRequest edit = github_comment(github_->config(), report, dispatch.remote_id);
    const auto answer = github_->call(report.name, edit.method, edit.path, edit.body, stop);
    if (!answer || answer->status != 404) return judge(answer, clock_.now());
  }
  const auto login = github_->own_login(report.name, stop);
  if (!login) return judge(tl::unexpected<Error>(login.error()), clock_.now());
  const Found found = search(
      *github_, report, [&](int page) { return comment_search(report, page); },
      [&](const std::string& answer, std::size_t& rows) {
        return find_comment(answer, github_->config(), *login, rows);
      },
      clock_.now(), stop);
  if (found.failure) return *found.failure;
  return to_github(github_comment(github_->config(), report, found.id), report, stop);
}

Outcome OutboxDispatcher::gitlab(const RunReport& report, const std::stop_token& stop) {
  const ForgeRequest request = gitlab_status(*config_.gitlab, report);
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

Outcome OutboxDispatcher::webhook(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop) {
  const auto* target = named(config_.webhooks, dispatch.target);
  if (!target) return not_configured();
  const std::string body = webhook_body(report, dispatch.delivery);
  const std::string signature = "sha256=" + hmac_sha256_hex(target->secret.text, body);
  return judge(caller_.call({.method = "POST",
                             .url = target->url,
                             .body = body,
                             .token = {},
                             .headers = {{"X-Kernelgate-Event", "run.finished"},
                                         {"X-Kernelgate-Delivery", dispatch.delivery},
                                         {"X-Kernelgate-Signature-256", signature}},
                             .timeout = config_.delivery.timeout},
                            stop),
               clock_.now());
}

Outcome OutboxDispatcher::chat(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop) {
  const auto* target = named(config_.chats, dispatch.target);
  if (!target) return not_configured();
  return judge(caller_.call({.method = "POST",
                             .url = target->url.text,
                             .body = chat_body(report),
                             .token = {},
                             .timeout = config_.delivery.timeout},
                            stop),
               clock_.now());
}

Outcome OutboxDispatcher::deliver(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop) {
  const std::string& target = dispatch.target;
  if (target.starts_with("webhook:")) return webhook(dispatch, report, stop);
  if (target.starts_with("chat:")) return chat(dispatch, report, stop);
  if (target == "gitlab-status" && config_.gitlab) return gitlab(report, stop);
  if (!github_) return not_configured();
  if (target == "github-check") return check(dispatch, report, stop);
  if (target == "github-comment") return comment(dispatch, report, stop);
  return to_github(github_status(github_->config(), report), report, stop);
}

}  // namespace kernelgate::forge
