// SPDX-License-Identifier: Apache-2.0
// /healthz, /metrics and /events: what those who run the server watch.
#include <fmt/format.h>

#include "core/decision/decide.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/overview.hpp"
#include "server/api/endpoints.hpp"
#include "service/history/overview.hpp"

namespace kernelgate::api {
namespace {

// Prometheus text format, one family at a time.
class Metrics {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  void value(double number, std::string_view labels = {}) {
    const std::string shown = labels.empty() ? "" : fmt::format("{{{}}}", labels);
    text_ += fmt::format("{}{} {}\n", name_, shown, number);
  }
  void single(std::string_view name, std::string_view type, std::string_view help, double number) {
    family(name, type, help);
    value(number);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

double seconds_since(const std::optional<Instant>& at, Instant now) {
  return at ? static_cast<double>((now - *at).count()) / 1000 : 0.0;
}

void add_store(Metrics& out, const service::StoreCounts& store, Instant now) {
  const auto& counts = store.rows;
  out.family("kernelgate_runs", "gauge", "Runs in the store by state.");
  for (const auto& [state, count] : counts.runs_by_state)
    out.value(static_cast<double>(count), fmt::format("state=\"{}\"", state));
  out.family("kernelgate_finished_runs", "gauge", "Finished runs in the store by conclusion.");
  for (const auto& [conclusion, count] : counts.runs_by_conclusion)
    out.value(static_cast<double>(count), fmt::format("conclusion=\"{}\"", conclusion));
  out.single("kernelgate_jobs_queued", "gauge", "Jobs that wait for a runner.",
             static_cast<double>(counts.jobs_queued));
  out.single("kernelgate_jobs_leased", "gauge", "Jobs that a runner works on.",
             static_cast<double>(counts.jobs_leased));
  out.single("kernelgate_oldest_queued_seconds", "gauge", "How long the oldest job has waited.",
             seconds_since(counts.oldest_queued_at, now));
  out.single("kernelgate_processes", "gauge", "Stored processes.", static_cast<double>(counts.processes));
  out.single("kernelgate_series", "gauge", "Stored series.", static_cast<double>(counts.series));
  out.single("kernelgate_store_bytes", "gauge", "Size of the store's file.", static_cast<double>(counts.file.value));
  out.single("kernelgate_store_queued_writes", "gauge", "Writes that wait for the store.",
             static_cast<double>(store.queued_writes));
}

void add_outbox(Metrics& out, const service::OutboxCounts& counts, Instant now) {
  out.family("kernelgate_outbox_messages", "gauge", "Messages to forges and others by status.");
  for (const auto& [status, count] : {std::pair("pending", counts.pending), std::pair("delivered", counts.delivered),
                                      std::pair("obsolete", counts.obsolete), std::pair("gave_up", counts.gave_up)})
    out.value(static_cast<double>(count), fmt::format("status=\"{}\"", status));
  out.single("kernelgate_outbox_oldest_pending_seconds", "gauge", "How long the oldest pending message has waited.",
             seconds_since(counts.oldest_pending, now));
}

void add_http(Metrics& out, const http::Counters& counters) {
  out.family("kernelgate_http_responses_total", "counter", "Answers by class of status.");
  out.value(static_cast<double>(counters.responses_2xx), "class=\"2xx\"");
  out.value(static_cast<double>(counters.responses_4xx), "class=\"4xx\"");
  out.value(static_cast<double>(counters.responses_5xx), "class=\"5xx\"");
  out.single("kernelgate_http_connections", "gauge", "Open connections.", counters.connections);
  out.single("kernelgate_http_connections_refused_total", "counter", "Connections turned away at the cap.",
             static_cast<double>(counters.connections_refused));
  out.single("kernelgate_http_connections_displaced_total", "counter",
             "Idle connections without a token closed for a new one at the cap.",
             static_cast<double>(counters.connections_displaced));
  out.single("kernelgate_http_bodies_displaced_total", "counter",
             "Bodies without a token given up for a new one at the cap.",
             static_cast<double>(counters.bodies_displaced));
  out.single("kernelgate_http_unheard_total", "counter", "Requests whose sender had gone before their turn came.",
             static_cast<double>(counters.unheard));
  out.single("kernelgate_http_parked", "gauge", "Long polls that wait.", counters.parked);
  out.single("kernelgate_http_event_readers", "gauge", "Readers of the event stream.", counters.event_readers);
  out.single("kernelgate_http_event_readers_dropped_total", "counter",
             "Readers of the event stream that were too slow.", static_cast<double>(counters.event_readers_dropped));
}

void add_webhooks(Metrics& out, const WebhookCounters& counters) {
  out.family("kernelgate_webhooks_total", "counter", "Webhooks by what became of them.");
  const auto value = [&out](const std::atomic<std::uint64_t>& count, std::string_view outcome) {
    out.value(static_cast<double>(count.load()), fmt::format("outcome=\"{}\"", outcome));
  };
  value(counters.accepted, "accepted");
  value(counters.unknown_events, "unknown_event");
  value(counters.refused, "refused");
  value(counters.replays, "already_seen");
  value(counters.signatures_refused, "bad_signature");
}

// One request counts for all that come while it does, and for a moment after.
Result<service::StoreCounts> kept_counts(Context& context) {
  KeptCounts& kept = context.kept_counts;
  const std::lock_guard lock(kept.mutex);
  const Instant now = context.clock.steady();
  if (kept.counts && now < kept.until) return *kept.counts;
  auto counted = service::count_store(context.store);
  if (!counted) return counted;
  kept.counts = *counted;
  kept.until = now + limits::kMetricsKept;
  return counted;
}

}  // namespace

Result<http::Answer> get_health(Context& context, const http::Request&) {
  const auto outbox = service::count_outbox(context.store);
  if (!outbox)
    return fail(Errc::unavailable, "the database does not answer", "store", "look at the server's log and at the disk");
  return json(
      200, wire::encode(wire::Health{.rule_version = kRuleVersion,
                                     .outbox_pending = outbox->pending,
                                     .outbox_gave_up = outbox->gave_up,
                                     .outbox_oldest_s = seconds_since(outbox->oldest_pending, context.clock.now())}));
}

Result<http::Answer> get_metrics(Context& context, const http::Request& request) {
  if (!request.identity.is_known() && !context.settings.open_metrics)
    return fail(
        Errc::unauthorized, "figures need a token, even where reading is public", "header Authorization",
        "send 'Authorization: Bearer TOKEN' with a token of role read, or start the server with --open-metrics");
  const auto counts = kept_counts(context);
  if (!counts) return pass_on(counts);
  Metrics out;
  add_store(out, *counts, context.clock.now());
  add_outbox(out, counts->outbox, context.clock.now());
  add_http(out, context.signals.counters());
  add_webhooks(out, context.webhooks);
  return http::Response{
      .status = 200, .content_type = "text/plain; version=0.0.4; charset=utf-8", .body = out.take(), .headers = {}};
}

Result<http::Answer> get_events(Context&, const http::Request& request) {
  return http::EventStream{std::string(request.query_value("repository").value_or(""))};
}

}  // namespace kernelgate::api
