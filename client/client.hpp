// SPDX-License-Identifier: Apache-2.0
#pragma once

// The server's API as typed calls (docs/WIRE.md). Used by the runner, by triggers and by hooks.
// A call that may safely be repeated is repeated while the server is away (no connection, time-out, 429, 5xx), with
// growing pauses, until `retry_for` has passed or a stop is requested; the others are made once. An error carries the
// server's code, words and fix, with the URL as its place. Thread-safe.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "core/wire/attempts.hpp"
#include "core/wire/baselines.hpp"
#include "core/wire/bisections.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/endpoints.hpp"
#include "core/wire/epochs.hpp"
#include "core/wire/history.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/tuning.hpp"

namespace kernelgate {

struct ClientOptions {
  std::string server;   // http://HOST:PORT
  std::string token{};  // may be empty where reading is public
  std::chrono::milliseconds retry_for{limits::kServerAwayMax};
  std::chrono::milliseconds timeout{30000};    // of one attempt, on top of a long poll
  std::chrono::milliseconds first_pause{200};  // doubled each time, up to pause_max, and shortened at random
  std::chrono::milliseconds pause_max{10000};
  std::stop_token stop{};
};

struct RunQuery {
  std::string repository, commit, state;  // empty: any
  std::string branch{};
  int limit = 0;       // 0: the server's default
  std::string before;  // RunPage::next of the page before
};

struct HistoryLookup {
  std::string repository, suite, benchmark;
  std::optional<std::string> branch{};  // none: the default branch; empty: any
  std::int64_t epoch = 0;               // 0: that of the newest point
  int points = 0;                       // 0: as many as the server gives
};

// Empty: any. `since`: a day, an instant or how long ago; `outcome`: words separated by commas.
struct AttemptLookup {
  std::string repository{}, outcome{}, branch{}, since{}, suite{}, benchmark{}, text{};
  int limit = 0;         // 0: the server's default
  std::string before{};  // AttemptPage::next of the page before
};

enum class Repeat {
  no,
  unsent_only,  // only while no connection could be made: the server has seen nothing of it
  yes,          // the server answers a repetition as it answered the first
};

struct QueryValue {
  std::string name, value;
  bool keep_empty = false;  // else an empty value is left out
};

// What a call of the table of endpoints needs besides a body.
struct Where {
  std::vector<std::string> path{};  // fills the path's {…}, in their order
  std::vector<QueryValue> query{};
  std::optional<Repeat> repeat{};  // none: what only asks is repeated, the rest while unsent
  std::chrono::seconds wait{0};    // of a long poll, on top of the timeout
};
// For a path with one id or name in it.
[[nodiscard]] Where at(std::int64_t id, std::optional<Repeat> repeat = std::nullopt);
[[nodiscard]] Where at(const std::string& name, std::optional<Repeat> repeat = std::nullopt);

class Client {
 public:
  [[nodiscard]] static Result<Client> create(ClientOptions options);
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  // Triggers and runs.
  [[nodiscard]] Result<wire::TriggerReply> trigger(const wire::Trigger& trigger);
  [[nodiscard]] Result<wire::Run> run(std::int64_t id, std::chrono::seconds wait = std::chrono::seconds{0});
  // Long-polls until the run is finished; `most` has passed: Errc::timed_out. `progress` sees every answer on the way.
  [[nodiscard]] Result<wire::Run> wait_for_run(std::int64_t id, std::chrono::seconds most,
                                               const std::function<void(const wire::Run&)>& progress = {});
  [[nodiscard]] Result<wire::RunPage> runs(const RunQuery& query);
  [[nodiscard]] Result<wire::BenchmarkPage> benchmarks(const std::string& repository, const std::string& before = {});
  [[nodiscard]] Result<wire::BenchmarkHistory> history(const HistoryLookup& lookup);
  [[nodiscard]] Result<wire::Run> cancel(std::int64_t run);
  [[nodiscard]] Result<wire::Run> retry(std::int64_t run);
  [[nodiscard]] Result<wire::Run> approve(std::int64_t run);
  [[nodiscard]] Result<wire::Run> refuse(std::int64_t run, const std::string& reason);
  [[nodiscard]] Result<std::string> bundle(std::int64_t run);  // the file's bytes

  // Repositories.
  // Each call makes another secret.
  [[nodiscard]] Result<wire::WebhookSecret> new_webhook_secret(const std::string& repository);
  [[nodiscard]] Result<wire::Repository> add_repository(const wire::RepositoryRequest& request);
  [[nodiscard]] Result<wire::Repository> repository(const std::string& name);
  [[nodiscard]] Status put_manifest(const std::string& repository, const std::string& toml);

  // Baselines, their sessions, and regressions that somebody accepts.
  [[nodiscard]] Result<wire::BaselinePage> baselines(const std::string& repository, const std::string& before = {});
  [[nodiscard]] Result<wire::WholeBaseline> promote(const wire::Promotion& promotion);
  [[nodiscard]] Result<wire::RemeasureReply> remeasure(const wire::RemeasureRequest& request);
  [[nodiscard]] Result<wire::AcknowledgementPage> acknowledgements(const std::string& repository,
                                                                   const std::string& before = {});
  [[nodiscard]] Result<wire::AcknowledgementRecord> accept(const wire::AcceptRequest& request);
  [[nodiscard]] Result<wire::AcknowledgementRecord> revoke(std::int64_t id,
                                                           const wire::RevokeAcceptanceRequest& request);

  // The ledger.
  [[nodiscard]] Result<wire::AttemptPage> attempts(const AttemptLookup& lookup);
  [[nodiscard]] Result<wire::Attempt> attempt(std::int64_t id);
  [[nodiscard]] Result<wire::Attempt> note(const wire::AttemptNote& note);
  [[nodiscard]] Result<wire::TuningReport> tuning_report(const AttemptLookup& lookup);

  // Bisections and backfills.
  [[nodiscard]] Result<wire::Bisection> bisect(const wire::BisectionRequest& request);
  [[nodiscard]] Result<wire::Bisection> bisection(std::int64_t id);
  [[nodiscard]] Result<wire::BisectionPage> bisections(const std::string& repository);
  [[nodiscard]] Result<wire::Bisection> cancel_bisection(std::int64_t id);
  [[nodiscard]] Result<wire::BackfillReply> backfill(const wire::BackfillRequest& request);

  // A runner's calls. claim: nothing when the long poll ended without a job. Errc::conflict: the lease is lost.
  // `profiles`: the long poll also ends, without a job, when a profile waits that this runner could make.
  [[nodiscard]] Result<std::optional<wire::Claim>> claim(const wire::ClaimRequest& request, bool profiles = false);
  [[nodiscard]] Result<wire::HeartbeatReply> heartbeat(std::int64_t run, const wire::Heartbeat& heartbeat);
  [[nodiscard]] Result<wire::ResolvedReply> resolved(std::int64_t run, const wire::Resolved& resolved);
  [[nodiscard]] Result<wire::UploadReply> upload(std::int64_t run, const wire::ProcessUpload& upload);
  [[nodiscard]] Status upload_log(std::int64_t run, const wire::LogUpload& log);
  [[nodiscard]] Result<wire::EpochReply> open_epoch(std::int64_t run, const wire::EpochUpload& upload);
  [[nodiscard]] Result<wire::FinishReply> finish(std::int64_t run, const wire::Finish& finish);
  [[nodiscard]] Status release(std::int64_t run, const wire::Release& release);

  // Any endpoint of the table (core/wire/endpoints.hpp). A body or answer that is no message is text.
  template <class Answer>
  [[nodiscard]] Result<wire::Passed<Answer>> call(const wire::Endpoint<wire::Nothing, Answer>& endpoint,
                                                  const Where& where = {}) {
    return answer_of<Answer>(exchange(asked(endpoint, where, {})), endpoint.path);
  }
  template <class Body, class Answer>
  [[nodiscard]] Result<wire::Passed<Answer>> call(const wire::Endpoint<Body, Answer>& endpoint,
                                                  const wire::Passed<Body>& body, const Where& where = {}) {
    return answer_of<Answer>(exchange(asked(endpoint, where, text_of<Body>(body))), endpoint.path);
  }

  // Nothing where the server has none to give (204).
  template <class Body, class Answer>
  [[nodiscard]] Result<std::optional<Answer>> claim_of(const wire::Endpoint<Body, Answer>& endpoint, const Body& body,
                                                       const Where& where = {}) {
    Result<std::string> text = exchange(asked(endpoint, where, wire::encode(body)));
    if (text && text->empty()) return std::nullopt;
    return answer_of<Answer>(std::move(text), endpoint.path);
  }

  [[nodiscard]] Status health();
  [[nodiscard]] const std::string& server() const;

 private:
  struct State;
  struct Asked {
    wire::Method method;
    std::string_view path, content_type;
    const Where& where;
    std::string body;
  };
  explicit Client(std::unique_ptr<State> state);
  [[nodiscard]] Result<std::string> exchange(const Asked& asked);
  [[nodiscard]] Error unreadable(const Error& error, std::string_view path) const;

  template <class Body, class Answer>
  static Asked asked(const wire::Endpoint<Body, Answer>& endpoint, const Where& where, std::string body) {
    return {endpoint.method, endpoint.path, wire::content_type<Body>(), where, std::move(body)};
  }
  template <class Body>
  static std::string text_of(const wire::Passed<Body>& body) {
    if constexpr (std::is_same_v<wire::Passed<Body>, std::string>)
      return body;
    else
      return wire::encode(body);
  }
  template <class Answer>
  [[nodiscard]] Result<wire::Passed<Answer>> answer_of(Result<std::string> text, std::string_view path) const {
    if constexpr (std::is_same_v<wire::Passed<Answer>, std::string>) {
      return text;
    } else if constexpr (std::is_void_v<wire::Passed<Answer>>) {
      if (!text) return pass_on(text);
      return {};
    } else {
      if (!text) return pass_on(text);
      Result<Answer> answer = wire::decode<Answer>(*text);
      if (!answer) return tl::unexpected(unreadable(answer.error(), path));
      return answer;
    }
  }

  std::unique_ptr<State> state_;
};

// Whether an error means that the server is away rather than that it refused.
[[nodiscard]] bool is_away(const Error& error);

}  // namespace kernelgate
