// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every endpoint works with. Handlers run on pool threads, several at once; the store is
// thread-safe, as is the count of failed logins; the rest of the context does not change after the start.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "server/api/accounts/login_throttle.hpp"
#include "server/assets/files.hpp"
#include "server/forge/github.hpp"
#include "server/http/message.hpp"
#include "server/http/server.hpp"
#include "service/history/overview.hpp"
#include "service/runs/queries.hpp"
#include "service/store/store.hpp"

namespace kernelgate::api {

struct Settings {
  bool public_read = false;                             // reading needs no token
  bool open_metrics = false;                            // nor do figures for Prometheus
  std::string public_url;                               // how people reach the server; in the links of replies
  std::string program = "kernelgate";                   // this one's version line, kept with every verdict
  int queued_runs_max = limits::kQueuedRunsMax;         // per repository
  int keep_samples_days = 0;                            // of finished runs, then they are thinned; 0: for ever
  std::chrono::seconds lease = limits::kLeaseDuration;  // what a claim gives a runner
  const forge::Config* forges = nullptr;                // what --config said; none without one
  forge::Github* github = nullptr;                      // none where GitHub is not configured
  assets::Files dashboard{};
};

// The http server as seen from an endpoint.
struct Signals {
  std::function<void(const std::string& topic)> notify;
  std::function<void(http::Event event)> publish;
  std::function<http::Counters()> counters;
};

// Since the start; what was kept stands in the store.
struct WebhookCounters {
  std::atomic<std::uint64_t> accepted{0}, unknown_events{0}, refused{0}, replays{0}, signatures_refused{0};
};

// What was counted last: counting a large store costs something, and whoever asks for it may ask often.
struct KeptCounts {
  std::mutex mutex;
  std::optional<service::StoreCounts> counts;
  Instant until{};
};

struct Context {
  service::Store store;
  const Clock& clock;
  Settings settings;
  Signals signals;
  WebhookCounters webhooks{};
  LoginThrottle logins{};
  KeptCounts kept_counts{};
};

using Handler = Result<http::Answer> (*)(Context& context, const http::Request& request);

// Topics of parked requests.
inline constexpr const char* kJobsTopic = "jobs";
[[nodiscard]] std::string run_topic(RunId run);

// Tells waiters and event readers that a run changed; call after the commit.
void announce(Context& context, const service::Run& run);

[[nodiscard]] http::Response json(int status, std::string body);
[[nodiscard]] http::Response no_content();

// The {id} of the path.
[[nodiscard]] Result<RunId> run_parameter(const http::Request& request);
// The same of another kind of thing.
[[nodiscard]] Result<std::int64_t> number_parameter(const http::Request& request, const std::string& what);
// ?limit= and ?before=
[[nodiscard]] Result<service::Page> page_of(const http::Request& request);
// The value of `before` for the page after this one, when this one is full.
template <class Rows, class Key>
[[nodiscard]] std::optional<std::string> next_page(const Rows& rows, const service::Page& page, Key key_of_last) {
  if (rows.size() < static_cast<std::size_t>(service::row_limit(page))) return std::nullopt;
  return std::to_string(key_of_last(rows.back()));
}

}  // namespace kernelgate::api
