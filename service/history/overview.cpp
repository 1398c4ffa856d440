// SPDX-License-Identifier: Apache-2.0
#include "service/history/overview.hpp"

#include <vector>

#include "core/units/limits.hpp"
#include "db/history/overview.hpp"
#include "db/runs/runs.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {
namespace {

std::vector<wire::RunningRun> running_runs(db::Connection& connection) {
  const db::Page first{.limit = limits::kRunningShownMax};
  std::vector<wire::RunningRun> out;
  for (const db::Run& run : db::list_runs(connection, db::RunFilter{.unfinished_only = true}, first)) {
    const db::RunPace pace = db::pace_of(connection, run.id);
    out.push_back({.run = db::to_wire(run), .runner = run.runner, .pairs = pace.pairs, .expected_s = pace.expected_s});
  }
  return out;
}

}  // namespace

Result<wire::Overview> overview(Store store, Instant since, Instant now) {
  return store.read([&](db::Connection& connection) {
    return wire::Overview{.recent = db::recent_runs(connection),
                          .regressions = db::open_regressions(connection, now),
                          .broken = db::broken_kernels(connection),
                          .running = running_runs(connection),
                          .runners = db::runners_seen(connection),
                          .spent = db::spent_since(connection, since)};
  });
}

Result<wire::Failures> failures_seen(Store store, std::string_view repository, std::string_view fingerprint,
                                     int limit) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<wire::Failures>(wire::Failures{db::failures_seen(connection, id, fingerprint, limit)});
  });
}

Result<std::optional<Conclusion>> newest_conclusion(Store store, std::string_view repository) {
  return read_of(store, repository, [](db::Connection& connection, RepositoryId id) {
    return Result<std::optional<Conclusion>>(db::newest_conclusion(connection, id));
  });
}

Result<StoreCounts> count_store(Store store) {
  const std::size_t queued = store.database().queued_writes();
  return store.read([&](db::Connection& connection) {
    return StoreCounts{
        .rows = db::count_all(connection), .outbox = db::count_outbox(connection), .queued_writes = queued};
  });
}

Result<OutboxCounts> count_outbox(Store store) {
  return store.read([](db::Connection& connection) { return db::count_outbox(connection); });
}

}  // namespace kernelgate::service
