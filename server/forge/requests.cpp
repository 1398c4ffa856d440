// SPDX-License-Identifier: Apache-2.0
#include "server/forge/requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "platform/http/http_caller.hpp"
#include "service/outbox/outbox.hpp"

namespace kernelgate::forge {
namespace {

using Json = nlohmann::json;

constexpr int kPerPage = 100;  // the most that GitHub gives

bool is_finished(const RunReport& report) { return report.phase == service::kFinishedPhase; }

std::string marker(const GithubConfig& config) { return "<!-- kernelgate:" + config.context + " -->"; }

// Foreign bytes that are no UTF-8 must not end a delivery.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json annotations(const RunReport& report) {
  Json out = Json::array();
  for (const Annotation& one : annotations_of(report.run))
    out.push_back({{"path", one.path},
                   {"start_line", one.line},
                   {"end_line", one.line},
                   {"annotation_level", "failure"},
                   {"title", one.title},
                   {"message", one.message}});
  return out;
}

// GitHub's limits: label 20, description 40, identifier 20 characters, three at most.
Json actions(const RunReport& report) {
  Json out = Json::array();
  out.push_back({{"label", "Re-run"}, {"description", "Measure this commit again"}, {"identifier", "rerun"}});
  if (conclusion_of(report.run) == Conclusion::regressed)
    out.push_back(
        {{"label", "Accept this change"}, {"description", "Let these regressions pass"}, {"identifier", "accept"}});
  return out;
}

const Json* member(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() ? &*found : nullptr;
}

std::string text(const Json& json, const char* name) {
  const Json* value = member(json, name);
  return value && value->is_string() ? value->get<std::string>() : "";
}

std::string number(const Json& json, const char* name) {
  const Json* value = member(json, name);
  return value && value->is_number_integer() ? value->dump() : "";
}

// Slack's own markup begins with one of these.
std::string chat_escape(std::string_view foreign) {
  std::string out;
  for (const char c : report::harmless(foreign)) {
    if (c == '&' || c == '<' || c == '>')
      out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;";
    else
      out += c;
  }
  return out;
}

}  // namespace

ForgeRequest github_status(const GithubConfig& config, const RunReport& report) {
  return {.method = "POST",
          .path = "/repos/" + report.name + "/statuses/" + report.run.commit,
          .body = dump({{"state", is_finished(report) ? report.run.commit_status : "pending"},
                        {"context", config.context},
                        {"description", status_text(report)},
                        {"target_url", report.url}})};
}

ForgeRequest github_check(const GithubConfig& config, const RunReport& report, const std::string& id) {
  Json body{{"details_url", report.url},
            {"output", {{"title", status_text(report)}, {"summary", report_text(report)}}}};
  const bool waits = report.phase == "queued" || report.phase == "held";
  body["status"] = is_finished(report) ? "completed" : waits ? "queued" : "in_progress";
  if (is_finished(report)) {
    body["conclusion"] = check_run_conclusion(conclusion_of(report.run));
    body["completed_at"] = report.run.finished_at ? to_iso8601(*report.run.finished_at) : "";
    body["actions"] = actions(report);
    if (Json found = annotations(report); !found.empty()) body["output"]["annotations"] = std::move(found);
  }
  if (report.run.started_at) body["started_at"] = to_iso8601(*report.run.started_at);
  if (!id.empty()) return {"PATCH", "/repos/" + report.name + "/check-runs/" + id, dump(body)};
  body["name"] = config.context;
  body["head_sha"] = report.run.commit;
  body["external_id"] = std::to_string(report.run.id);
  return {"POST", "/repos/" + report.name + "/check-runs", dump(body)};
}

std::string check_search(const GithubConfig& config, const RunReport& report, int page) {
  return fmt::format("/repos/{}/commits/{}/check-runs?check_name={}&filter=all&per_page={}&page={}", report.name,
                     report.run.commit, url_escape(config.context), kPerPage, page);
}

std::string find_check(const std::string& answer, const RunReport& report, std::size_t& rows) {
  const Json body = Json::parse(answer, nullptr, false);
  const Json* runs = member(body, "check_runs");
  rows = runs && runs->is_array() ? runs->size() : 0;
  for (std::size_t i = 0; i < rows; ++i)
    if (text((*runs)[i], "external_id") == std::to_string(report.run.id)) return number((*runs)[i], "id");
  return {};
}

ForgeRequest github_comment(const GithubConfig& config, const RunReport& report, const std::string& id) {
  const std::string body = dump({{"body", marker(config) + "\n" + report_text(report)}});
  if (!id.empty()) return {"PATCH", "/repos/" + report.name + "/issues/comments/" + id, body};
  return {"POST", fmt::format("/repos/{}/issues/{}/comments", report.name, report.run.pull_request->number), body};
}

std::string comment_search(const RunReport& report, int page) {
  return fmt::format("/repos/{}/issues/{}/comments?per_page={}&page={}", report.name, report.run.pull_request->number,
                     kPerPage, page);
}

std::string find_comment(const std::string& answer, const GithubConfig& config, const std::string& login,
                         std::size_t& rows) {
  const Json body = Json::parse(answer, nullptr, false);
  rows = body.is_array() ? body.size() : 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const Json* user = member(body[i], "user");
    if (text(body[i], "body").starts_with(marker(config)) && user && text(*user, "login") == login)
      return number(body[i], "id");
  }
  return {};
}

// GitLab knows neither error nor neutral: there a run without a judgement is cancelled.
ForgeRequest gitlab_status(const GitlabConfig& config, const RunReport& report) {
  const bool waits = report.phase == "queued" || report.phase == "held";
  const std::string& status = report.run.commit_status;
  const char* ended = status == "success" ? "success" : status == "failure" ? "failed" : "canceled";
  return {.method = "POST",
          .path = "/projects/" + url_escape(report.name) + "/statuses/" + report.run.commit,
          .body = dump({{"state", is_finished(report) ? ended
                                  : waits             ? "pending"
                                                      : "running"},
                        {"name", config.context},
                        {"description", status_text(report)},
                        {"target_url", report.url}})};
}

bool says_it_already(const std::string& gitlab_answer) {
  return gitlab_answer.find("Cannot transition status via") != std::string::npos;
}

std::string webhook_body(const RunReport& report, const std::string& delivery) {
  wire::RunWebhook body{.delivery = delivery, .url = report.url, .run = report.run};
  body.run.comparisons.clear();
  return wire::encode(body);
}

std::string chat_body(const RunReport& report) {
  const std::string line = fmt::format("<{}|kernelgate run {}> of {} {}: *{}*", report.url, report.run.id,
                                       chat_escape(report.run.repository), report.run.commit.substr(0, 10),
                                       chat_escape(status_text(report)));
  const std::string& subject = report.run.subject;
  return dump({{"text", subject.empty() ? line : line + "\n" + chat_escape(report::shorten(subject, 200))}});
}

std::string id_in(const std::string& answer) { return number(Json::parse(answer, nullptr, false), "id"); }

}  // namespace kernelgate::forge
