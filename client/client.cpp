// SPDX-License-Identifier: Apache-2.0
#include "client/client.hpp"

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

constexpr std::string_view kApi = "/api/v1";

Result<std::string> checked_server(std::string server) {
  while (!server.empty() && server.back() == '/') server.pop_back();
  const bool web = server.rfind("http://", 0) == 0 || server.rfind("https://", 0) == 0;
  const std::size_t host = server.find("//");
  if (!web || host + 2 >= server.size() || server.find_first_of(" \t\r\n?#@", 0) != std::string::npos)
    return fail(Errc::invalid, "not a server's URL: '" + server.substr(0, 200) + "'", {}, "write http://HOST:PORT");
  return server;
}

std::string runner_path(std::int64_t run, std::string_view what) {
  return "/runner/runs/" + std::to_string(run) + "/" + std::string(what);
}

// A path and its query.
class Target {
 public:
  explicit Target(std::string path) : text_(std::move(path)) {}
  void add(std::string_view name, const std::string& value) {
    if (!value.empty()) add_even_empty(name, value);
  }
  void add_even_empty(std::string_view name, const std::string& value) {
    text_ += (has_query_ ? '&' : '?') + std::string(name) + "=" + url_escape(value);
    has_query_ = true;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_query_ = false;
};

std::string with_query(const std::string& path, const Client::Query& query) {
  Target target(path);
  for (const auto& [name, value] : query) target.add(name, value);
  return target.text();
}

}  // namespace

struct Client::State {
  ClientOptions options;
  HttpCaller caller;

  [[nodiscard]] std::string url(const std::string& path) const { return options.server + std::string(kApi) + path; }

  Result<HttpResponse> call(const HttpRequest& request, Repeat repeat) {
    return call_patiently(caller, request, options, repeat);
  }

  HttpRequest request(std::string method, const std::string& path, std::string body = {}) const {
    return {.method = std::move(method),
            .url = url(path),
            .body = std::move(body),
            .token = options.token,
            .timeout = options.timeout};
  }

  template <class Reply>
  Result<Reply> exchange(const HttpRequest& wanted, Repeat repeat) {
    const Result<HttpResponse> response = call(wanted, repeat);
    if (!response) return pass_on(response);
    Result<Reply> reply = wire::decode<Reply>(response->body);
    if (!reply)
      return fail(Errc::corrupt, "the server's answer cannot be read: " + to_string(reply.error()), wanted.url,
                  "is it a kernelgate server of this version?");
    return reply;
  }

  Status tell(const HttpRequest& wanted, Repeat repeat) {
    const Result<HttpResponse> response = call(wanted, repeat);
    if (!response) return pass_on(response);
    return {};
  }
};

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

Result<wire::TriggerReply> Client::trigger(const wire::Trigger& trigger) {
  return state_->exchange<wire::TriggerReply>(state_->request("POST", "/triggers", wire::encode(trigger)), Repeat::yes);
}

Result<wire::Run> Client::run(std::int64_t id, std::chrono::seconds wait) {
  std::string path = "/runs/" + std::to_string(id);
  if (wait > 0s) path += "?wait_s=" + std::to_string(wait.count());
  HttpRequest request = state_->request("GET", path);
  request.timeout += wait;
  return state_->exchange<wire::Run>(request, Repeat::yes);
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
    const auto state = parse_run_state(run->state);
    if (!state || is_finished(*state)) return run;
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(Errc::timed_out, "run " + std::to_string(id) + " is still " + run->state, state_->url("/runs"),
                  "look at " + server() + "/runs/" + std::to_string(id));
    // A server that answers at once instead of waiting must not be asked in a tight loop.
    if (std::chrono::steady_clock::now() - asked < 500ms && !pause(500ms, state_->options.stop))
      return fail(Errc::unavailable, "stopped while waiting for run " + std::to_string(id), server());
  }
}

Result<wire::RunPage> Client::runs(const RunQuery& query) {
  Target target("/runs");
  target.add("repository", query.repository);
  target.add("commit", query.commit);
  target.add("branch", query.branch);
  target.add("state", query.state);
  target.add("limit", query.limit > 0 ? std::to_string(query.limit) : "");
  target.add("before", query.before);
  return state_->exchange<wire::RunPage>(state_->request("GET", target.text()), Repeat::yes);
}

Result<wire::BenchmarkPage> Client::benchmarks(const std::string& repository, const std::string& before) {
  Target target("/benchmarks");
  target.add("repository", repository);
  target.add("limit", std::to_string(limits::kPageMax));
  target.add("before", before);
  return state_->exchange<wire::BenchmarkPage>(state_->request("GET", target.text()), Repeat::yes);
}

Result<wire::BenchmarkHistory> Client::history(const HistoryLookup& lookup) {
  Target target("/history");
  target.add("repository", lookup.repository);
  target.add("suite", lookup.suite);
  target.add("benchmark", lookup.benchmark);
  if (lookup.branch) target.add_even_empty("branch", *lookup.branch);
  target.add("epoch", lookup.epoch > 0 ? std::to_string(lookup.epoch) : "");
  target.add("limit", lookup.points > 0 ? std::to_string(lookup.points) : "");
  return state_->exchange<wire::BenchmarkHistory>(state_->request("GET", target.text()), Repeat::yes);
}

Result<wire::Run> Client::cancel(std::int64_t run) {
  return state_->exchange<wire::Run>(state_->request("POST", "/runs/" + std::to_string(run) + "/cancel"), Repeat::yes);
}

Result<wire::Run> Client::retry(std::int64_t run) {
  return state_->exchange<wire::Run>(state_->request("POST", "/runs/" + std::to_string(run) + "/retry"),
                                     Repeat::unsent_only);
}

Result<wire::Run> Client::approve(std::int64_t run) {
  return state_->exchange<wire::Run>(state_->request("POST", "/runs/" + std::to_string(run) + "/approve"),
                                     Repeat::unsent_only);
}

Result<wire::Run> Client::refuse(std::int64_t run, const std::string& reason) {
  return state_->exchange<wire::Run>(state_->request("POST", "/runs/" + std::to_string(run) + "/refuse",
                                                     wire::encode(wire::RefuseRequest{.reason = reason})),
                                     Repeat::unsent_only);
}

Result<std::string> Client::bundle(std::int64_t run) {
  Result<HttpResponse> response =
      state_->call(state_->request("GET", "/runs/" + std::to_string(run) + "/bundle"), Repeat::yes);
  if (!response) return pass_on(response);
  return std::move(response->body);
}

Result<wire::Repository> Client::add_repository(const wire::RepositoryRequest& request) {
  return state_->exchange<wire::Repository>(state_->request("POST", "/repositories", wire::encode(request)),
                                            Repeat::unsent_only);
}

Result<wire::Repository> Client::repository(const std::string& name) {
  return state_->exchange<wire::Repository>(state_->request("GET", "/repositories/" + url_escape(name)), Repeat::yes);
}

Status Client::put_manifest(const std::string& repository, const std::string& toml) {
  HttpRequest request = state_->request("PUT", "/repositories/" + url_escape(repository) + "/manifest", toml);
  request.content_type = "application/toml";
  return state_->tell(request, Repeat::yes);
}

namespace {

std::string page_path(const std::string& list, const std::string& repository, const std::string& before) {
  return "/" + list + "?repository=" + url_escape(repository) + (before.empty() ? "" : "&before=" + url_escape(before));
}

}  // namespace

Result<wire::BaselinePage> Client::baselines(const std::string& repository, const std::string& before) {
  return state_->exchange<wire::BaselinePage>(state_->request("GET", page_path("baselines", repository, before)),
                                              Repeat::yes);
}

Result<wire::WholeBaseline> Client::promote(const wire::Promotion& promotion) {
  return state_->exchange<wire::WholeBaseline>(state_->request("POST", "/baselines", wire::encode(promotion)),
                                               Repeat::unsent_only);
}

Result<wire::RemeasureReply> Client::remeasure(const wire::RemeasureRequest& request) {
  return state_->exchange<wire::RemeasureReply>(state_->request("POST", "/baselines/remeasure", wire::encode(request)),
                                                Repeat::unsent_only);
}

Result<wire::AcknowledgementPage> Client::acknowledgements(const std::string& repository, const std::string& before) {
  return state_->exchange<wire::AcknowledgementPage>(
      state_->request("GET", page_path("acknowledgements", repository, before)), Repeat::yes);
}

Result<wire::AcknowledgementRecord> Client::accept(const wire::AcceptRequest& request) {
  return state_->exchange<wire::AcknowledgementRecord>(
      state_->request("POST", "/acknowledgements", wire::encode(request)), Repeat::unsent_only);
}

Result<wire::AcknowledgementRecord> Client::revoke(std::int64_t id, const wire::RevokeAcceptanceRequest& request) {
  return state_->exchange<wire::AcknowledgementRecord>(
      state_->request("POST", "/acknowledgements/" + std::to_string(id) + "/revoke", wire::encode(request)),
      Repeat::unsent_only);
}

namespace {

std::string ledger_path(const char* path, const AttemptLookup& lookup) {
  Target target(path);
  target.add("repository", lookup.repository);
  target.add("outcome", lookup.outcome);
  target.add("branch", lookup.branch);
  target.add("since", lookup.since);
  target.add("suite", lookup.suite);
  target.add("benchmark", lookup.benchmark);
  target.add("text", lookup.text);
  target.add("limit", lookup.limit > 0 ? std::to_string(lookup.limit) : "");
  target.add("before", lookup.before);
  return target.text();
}

}  // namespace

Result<wire::AttemptPage> Client::attempts(const AttemptLookup& lookup) {
  return state_->exchange<wire::AttemptPage>(state_->request("GET", ledger_path("/attempts", lookup)), Repeat::yes);
}

Result<wire::Attempt> Client::attempt(std::int64_t id) {
  return state_->exchange<wire::Attempt>(state_->request("GET", "/attempts/" + std::to_string(id)), Repeat::yes);
}

// Said twice, a note is the same note.
Result<wire::Attempt> Client::note(const wire::AttemptNote& note) {
  return state_->exchange<wire::Attempt>(state_->request("POST", "/attempts", wire::encode(note)), Repeat::yes);
}

Result<wire::TuningReport> Client::tuning_report(const AttemptLookup& lookup) {
  return state_->exchange<wire::TuningReport>(state_->request("GET", ledger_path("/reports/tuning", lookup)),
                                              Repeat::yes);
}

Result<wire::Bisection> Client::bisect(const wire::BisectionRequest& request) {
  return state_->exchange<wire::Bisection>(state_->request("POST", "/bisections", wire::encode(request)),
                                           Repeat::unsent_only);
}

Result<wire::Bisection> Client::bisection(std::int64_t id) {
  return state_->exchange<wire::Bisection>(state_->request("GET", "/bisections/" + std::to_string(id)), Repeat::yes);
}

Result<wire::BisectionPage> Client::bisections(const std::string& repository) {
  return state_->exchange<wire::BisectionPage>(state_->request("GET", page_path("bisections", repository, {})),
                                               Repeat::yes);
}

Result<wire::Bisection> Client::cancel_bisection(std::int64_t id) {
  return state_->exchange<wire::Bisection>(
      state_->request("POST", "/bisections/" + std::to_string(id) + "/cancel", "{}"), Repeat::unsent_only);
}

Result<wire::BackfillReply> Client::backfill(const wire::BackfillRequest& request) {
  return state_->exchange<wire::BackfillReply>(state_->request("POST", "/backfills", wire::encode(request)),
                                               Repeat::unsent_only);
}

Result<std::optional<wire::Claim>> Client::claim(const wire::ClaimRequest& request, bool profiles) {
  HttpRequest wanted =
      state_->request("POST", profiles ? "/runner/claim?profiles=1" : "/runner/claim", wire::encode(request));
  wanted.timeout += std::chrono::seconds{request.wait_s};
  // Repeating a claim whose answer was lost would take a second job; the lost one's lease expires by itself.
  const Result<HttpResponse> response = state_->call(wanted, Repeat::unsent_only);
  if (!response) return pass_on(response);
  if (response->status == 204) return std::nullopt;
  Result<wire::Claim> claim = wire::decode<wire::Claim>(response->body);
  if (!claim) return fail(Errc::corrupt, "the server's answer cannot be read: " + to_string(claim.error()), wanted.url);
  return std::optional<wire::Claim>(std::move(*claim));
}

Result<wire::HeartbeatReply> Client::heartbeat(std::int64_t run, const wire::Heartbeat& heartbeat) {
  // A late heartbeat is worth nothing: the next one follows soon.
  return state_->exchange<wire::HeartbeatReply>(
      state_->request("POST", runner_path(run, "heartbeat"), wire::encode(heartbeat)), Repeat::no);
}

Result<wire::ResolvedReply> Client::resolved(std::int64_t run, const wire::Resolved& resolved) {
  return state_->exchange<wire::ResolvedReply>(
      state_->request("POST", runner_path(run, "resolved"), wire::encode(resolved)), Repeat::yes);
}

Result<wire::UploadReply> Client::upload(std::int64_t run, const wire::ProcessUpload& upload) {
  return state_->exchange<wire::UploadReply>(
      state_->request("POST", runner_path(run, "processes"), wire::encode(upload)), Repeat::yes);
}

Status Client::upload_log(std::int64_t run, const wire::LogUpload& log) {
  return state_->tell(state_->request("POST", runner_path(run, "logs"), wire::encode(log)), Repeat::yes);
}

Result<wire::EpochReply> Client::open_epoch(std::int64_t run, const wire::EpochUpload& upload) {
  return state_->exchange<wire::EpochReply>(state_->request("POST", runner_path(run, "epoch"), wire::encode(upload)),
                                            Repeat::yes);
}

Result<wire::FinishReply> Client::finish(std::int64_t run, const wire::Finish& finish) {
  return state_->exchange<wire::FinishReply>(state_->request("POST", runner_path(run, "finish"), wire::encode(finish)),
                                             Repeat::yes);
}

Status Client::release(std::int64_t run, const wire::Release& release) {
  return state_->tell(state_->request("POST", runner_path(run, "release"), wire::encode(release)), Repeat::yes);
}

Result<std::string> Client::get(const std::string& path, const Query& query) {
  auto response = state_->call(state_->request("GET", with_query(path, query)), Repeat::yes);
  if (!response) return pass_on(response);
  return std::move(response->body);
}

Result<std::string> Client::post(const std::string& path, const std::string& body, const Query& query) {
  auto response = state_->call(state_->request("POST", with_query(path, query), body), Repeat::unsent_only);
  if (!response) return pass_on(response);
  return std::move(response->body);
}

Status Client::health() {
  HttpRequest request = state_->request("GET", "");
  request.url = server() + "/healthz";
  return state_->tell(request, Repeat::no);
}

}  // namespace kernelgate
