// SPDX-License-Identifier: Apache-2.0
// /overview: what the dashboard's first page shows, in one answer. /failures: where a fingerprint was seen.
#include "db/history/overview.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

std::vector<wire::RunningRun> running(db::Connection& connection) {
  const db::Page first{.limit = limits::kRunningShownMax};
  std::vector<wire::RunningRun> out;
  for (const db::Run& run : db::list_runs(connection, db::RunFilter{.unfinished_only = true}, first)) {
    const db::RunPace pace = db::pace_of(connection, run.id);
    out.push_back({.run = db::to_wire(run), .runner = run.runner, .pairs = pace.pairs, .expected_s = pace.expected_s});
  }
  return out;
}

}  // namespace

Result<http::Answer> get_overview(Context& context, const http::Request& request) {
  const Instant now = context.clock.now();
  const auto since = request.query_number("since_ms", to_millis(now) - 86'400'000, 0, INT64_MAX);
  if (!since) return pass_on(since);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<wire::Overview> {
    return wire::Overview{.recent = db::recent_runs(connection),
                          .regressions = db::open_regressions(connection, now),
                          .broken = db::broken_kernels(connection),
                          .running = running(connection),
                          .runners = db::runners_seen(connection),
                          .spent = db::spent_since(connection, from_millis(*since))};
  });
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> get_failures(Context& context, const http::Request& request) {
  const auto name = request.query_value("repository");
  const auto fingerprint = request.query_value("fingerprint");
  if (!name || !fingerprint || fingerprint->empty())
    return fail(Errc::invalid, "repository and fingerprint are needed", "query", "give both");
  const auto limit = request.query_number("limit", 50, 1, limits::kPageMax);
  if (!limit) return pass_on(limit);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<wire::Failures> {
    const auto repository = db::get_repository(connection, *name);
    if (!repository) return pass_on(repository);
    return wire::Failures{db::failures_seen(connection, repository->id, *fingerprint, static_cast<int>(*limit))};
  });
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

}  // namespace kernelgate::api
