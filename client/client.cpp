// SPDX-License-Identifier: Apache-2.0
#include "client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "client/retry.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/wire/approvals.hpp"
#include "core/wire/codec.hpp"
#include "platform/http/http_caller.hpp"

namespace kernelgate {
namespace {

using namespace std::chrono_literals;

Result<std::string> checked_server(std::string server) {
  while (!server.empty() && server.back() == '/') server.pop_back();
  const bool web = server.rfind("http://", 0) == 0 || server.rfind("https://", 0) == 0;
  const std::size_t host = server.find("//");
  if (!web || host + 2 >= server.size() || server.find_first_of(" \t\r\n?#@", 0) != std::string::npos)
    return fail(Errc::invalid, "not a server's URL: '" + server.substr(0, 200) + "'", {}, "write http://HOST:PORT");
  return server;
}

namespace endpoint = wire::endpoint;

std::string filled(std::string_view path, const Where& where) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '{') {
      out += path[i];
      continue;
    }
    out += url_escape(where.path.at(next++));
    i = path.find('}', i);
  }
  char mark = '?';
  for (const auto& [name, value, keep_empty] : where.query) {
    if (value.empty() && !keep_empty) continue;
    out.append({mark}).append(name).append("=").append(url_escape(value));
    mark = '&';
  }
  return out;
}

std::string number_or_none(std::int64_t value) { return value > 0 ? std::to_string(value) : ""; }

}  // namespace

struct Client::State {
  ClientOptions options;
  HttpCaller caller;
};

Where at(std::int64_t id, std::optional<Repeat> repeat) { return at(std::to_string(id), repeat); }
Where at(const std::string& name, std::optional<Repeat> repeat) { return {.path = {name}, .repeat = repeat}; }

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

Result<Client> Client::create(ClientOptions options) {
  Result<std::string> server = checked_server(std::move(options.server));
  if (!server) return pass_on(server);
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->options.server = std::move(*server);
  return Client(std::move(state));
}

const std::string& Client::server() const { return state_->options.server; }

Result<std::string> Client::exchange(const Asked& asked) {
  const Repeat usual = asked.method == wire::Method::get ? Repeat::yes : Repeat::unsent_only;
  HttpRequest request{.method = std::string(to_string(asked.method)),
                      .url = server() + filled(asked.path, asked.where),
                      .body = asked.body,
                      .token = state_->options.token,
                      .timeout = state_->options.timeout + asked.where.wait};
  if (!asked.content_type.empty()) request.content_type = asked.content_type;
  auto response = call_patiently(state_->caller, request, state_->options, asked.where.repeat.value_or(usual));
  if (!response) return pass_on(response);
  return std::move(response->body);
}

Error Client::unreadable(const Error& error, std::string_view path) const {
  return {Errc::corrupt, "the server's answer cannot be read: " + to_string(error), server() + std::string(path),
          "is it a kernelgate server of this version?"};
}

Result<wire::TriggerReply> Client::trigger(const wire::Trigger& trigger) {
  return call(endpoint::post_trigger, trigger, {.repeat = Repeat::yes});
}

Result<wire::Run> Client::run(std::int64_t id, std::chrono::seconds wait) {
  return call(endpoint::get_run,
              {.path = {std::to_string(id)}, .query = {{"wait_s", number_or_none(wait.count())}}, .wait = wait});
}

Result<wire::Run> Client::wait_for_run(std::int64_t id, std::chrono::seconds most,
                                       const std::function<void(const wire::Run&)>& progress) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  for (;;) {
    const auto asked = std::chrono::steady_clock::now();
    const auto left = std::chrono::ceil<std::chrono::seconds>(deadline - asked);
    Result<wire::Run> run = this->run(id, std::clamp(left, 0s, limits::kLongPollMax));
    if (!run) return run;
    if (progress) progress(*run);
    if (is_finished(run->state)) return run;
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(Errc::timed_out, fmt::format("run {} is still {}", id, to_string(run->state)), server(),
                  "look at " + server() + "/runs/" + std::to_string(id));
    // A server that answers at once instead of waiting must not be asked in a tight loop.
    if (std::chrono::steady_clock::now() - asked < 500ms && !pause(500ms, state_->options.stop))
      return fail(Errc::unavailable, "stopped while waiting for run " + std::to_string(id), server());
  }
}

Result<wire::RunPage> Client::runs(const RunQuery& query) {
  return call(endpoint::get_runs, {.query = {{"repository", query.repository},
                                             {"commit", query.commit},
                                             {"branch", query.branch},
                                             {"state", query.state},
                                             {"limit", number_or_none(query.limit)},
                                             {"before", query.before}}});
}

Result<wire::BenchmarkPage> Client::benchmarks(const std::string& repository, const std::string& before) {
  return call(endpoint::get_benchmarks,
              {.query = {{"repository", repository}, {"limit", std::to_string(limits::kPageMax)}, {"before", before}}});
}

Result<wire::BenchmarkHistory> Client::history(const HistoryLookup& lookup) {
  return call(endpoint::get_history, {.query = {{"repository", lookup.repository},
                                                {"suite", lookup.suite},
                                                {"benchmark", lookup.benchmark},
                                                {"branch", lookup.branch.value_or(""), lookup.branch.has_value()},
                                                {"epoch", number_or_none(lookup.epoch)},
                                                {"limit", number_or_none(lookup.points)}}});
}

Result<wire::Run> Client::cancel(std::int64_t run) { return call(endpoint::post_cancel, at(run, Repeat::yes)); }

Result<wire::Run> Client::retry(std::int64_t run) { return call(endpoint::post_retry, at(run)); }

Result<wire::Run> Client::approve(std::int64_t run) { return call(endpoint::post_approve, at(run)); }

Result<wire::Run> Client::refuse(std::int64_t run, const std::string& reason) {
  return call(endpoint::post_refuse, {.reason = reason}, at(run));
}

Result<std::string> Client::bundle(std::int64_t run) { return call(endpoint::get_bundle, at(run)); }

Result<wire::Repository> Client::add_repository(const wire::RepositoryRequest& request) {
  return call(endpoint::post_repository, request);
}

Result<wire::Repository> Client::repository(const std::string& name) {
  return call(endpoint::get_repository, at(name));
}

Result<wire::WebhookSecret> Client::new_webhook_secret(const std::string& repository) {
  return call(endpoint::post_webhook_secret, at(repository));
}

Status Client::put_manifest(const std::string& repository, const std::string& toml) {
  const auto changed = call(endpoint::put_manifest, toml, at(repository, Repeat::yes));
  if (!changed) return pass_on(changed);
  return {};
}

Result<wire::BaselinePage> Client::baselines(const std::string& repository, const std::string& before) {
  return call(endpoint::get_baselines, {.query = {{"repository", repository}, {"before", before}}});
}

Result<wire::WholeBaseline> Client::promote(const wire::Promotion& promotion) {
  return call(endpoint::post_baseline, promotion);
}

Result<wire::RemeasureReply> Client::remeasure(const wire::RemeasureRequest& request) {
  return call(endpoint::post_remeasure, request);
}

Result<wire::AcknowledgementPage> Client::acknowledgements(const std::string& repository, const std::string& before) {
  return call(endpoint::get_acknowledgements, {.query = {{"repository", repository}, {"before", before}}});
}

Result<wire::AcknowledgementRecord> Client::accept(const wire::AcceptRequest& request) {
  return call(endpoint::post_acknowledgement, request);
}

Result<wire::AcknowledgementRecord> Client::revoke(std::int64_t id, const wire::RevokeAcceptanceRequest& request) {
  return call(endpoint::post_revoke, request, at(id));
}

namespace {

Where where_of(const AttemptLookup& lookup) {
  return {.query = {{"repository", lookup.repository},
                    {"outcome", lookup.outcome},
                    {"branch", lookup.branch},
                    {"since", lookup.since},
                    {"suite", lookup.suite},
                    {"benchmark", lookup.benchmark},
                    {"text", lookup.text},
                    {"limit", number_or_none(lookup.limit)},
                    {"before", lookup.before}}};
}

}  // namespace

Result<wire::AttemptPage> Client::attempts(const AttemptLookup& lookup) {
  return call(endpoint::get_attempts, where_of(lookup));
}

Result<wire::Attempt> Client::attempt(std::int64_t id) { return call(endpoint::get_attempt, at(id)); }

// Said twice, a note is the same note.
Result<wire::Attempt> Client::note(const wire::AttemptNote& note) {
  return call(endpoint::post_attempt, note, {.repeat = Repeat::yes});
}

Result<wire::TuningReport> Client::tuning_report(const AttemptLookup& lookup) {
  return call(endpoint::get_tuning_report, where_of(lookup));
}

Result<wire::Bisection> Client::bisect(const wire::BisectionRequest& request) {
  return call(endpoint::post_bisection, request);
}

Result<wire::Bisection> Client::bisection(std::int64_t id) { return call(endpoint::get_bisection, at(id)); }

Result<wire::BisectionPage> Client::bisections(const std::string& repository) {
  return call(endpoint::get_bisections, {.query = {{"repository", repository}}});
}

Result<wire::Bisection> Client::cancel_bisection(std::int64_t id) {
  return call(endpoint::post_bisection_cancel, at(id));
}

Result<wire::BackfillReply> Client::backfill(const wire::BackfillRequest& request) {
  return call(endpoint::post_backfill, request);
}

Result<std::optional<wire::Claim>> Client::claim(const wire::ClaimRequest& request, bool profiles) {
  // Repeating a claim whose answer was lost would take a second job; the lost one's lease expires by itself.
  return claim_of(endpoint::post_claim, request,
                  {.query = {{"profiles", profiles ? "1" : ""}}, .wait = std::chrono::seconds{request.wait_s}});
}

Result<wire::HeartbeatReply> Client::heartbeat(std::int64_t run, const wire::Heartbeat& heartbeat) {
  // A late heartbeat is worth nothing: the next one follows soon.
  return call(endpoint::post_heartbeat, heartbeat, at(run, Repeat::no));
}

Result<wire::ResolvedReply> Client::resolved(std::int64_t run, const wire::Resolved& resolved) {
  return call(endpoint::post_resolved, resolved, at(run, Repeat::yes));
}

Result<wire::UploadReply> Client::upload(std::int64_t run, const wire::ProcessUpload& upload) {
  return call(endpoint::post_processes, upload, at(run, Repeat::yes));
}

Status Client::upload_log(std::int64_t run, const wire::LogUpload& log) {
  return call(endpoint::post_log, log, at(run, Repeat::yes));
}

Result<wire::EpochReply> Client::open_epoch(std::int64_t run, const wire::EpochUpload& upload) {
  return call(endpoint::post_epoch, upload, at(run, Repeat::yes));
}

Result<wire::FinishReply> Client::finish(std::int64_t run, const wire::Finish& finish) {
  return call(endpoint::post_finish, finish, at(run, Repeat::yes));
}

Status Client::release(std::int64_t run, const wire::Release& release) {
  return call(endpoint::post_release, release, at(run, Repeat::yes));
}

Status Client::health() {
  const auto answer = exchange(asked(endpoint::get_health, {.repeat = Repeat::no}, {}));
  if (!answer) return pass_on(answer);
  return {};
}

}  // namespace kernelgate
