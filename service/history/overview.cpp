// SPDX-License-Identifier: Apache-2.0
#include "service/history/overview.hpp"

#include <algorithm>
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

// `seen.recent` is sorted by repository and testbed, the newest run first.
std::vector<wire::BranchState> states_of(const wire::Overview& seen) {
  const auto open = [](const auto& all, const wire::BranchState& state) {
    return std::count_if(all.begin(), all.end(), [&](const auto& one) {
      return one.repository == state.repository && one.testbed == state.testbed;
    });
  };
  std::vector<wire::BranchState> out;
  for (const wire::RecentRun& run : seen.recent) {
    if (!out.empty() && out.back().repository == run.repository && out.back().testbed == run.testbed) continue;
    wire::BranchState& state = out.emplace_back();
    state = {.repository = run.repository, .testbed = run.testbed, .conclusion = run.conclusion};
    state.regressions = open(seen.regressions, state);
    state.broken = open(seen.broken, state);
    if (state.conclusion == Conclusion::build_failed) continue;
    if (state.broken > 0)
      state.conclusion = Conclusion::broken;
    else if (state.regressions > 0)
      state.conclusion = Conclusion::regressed;
  }
  return out;
}

wire::Overview read_states(db::Connection& connection, Instant now) {
  wire::Overview out;
  out.recent = db::recent_runs(connection);
  out.regressions = db::open_regressions(connection, now);
  out.broken = db::broken_kernels(connection);
  out.states = states_of(out);
  return out;
}

}  // namespace

Result<wire::Overview> overview(Store store, Instant since, Instant now) {
  return store.read([&](db::Connection& connection) {
    wire::Overview out = read_states(connection, now);
    out.running = running_runs(connection);
    out.runners = db::runners_seen(connection);
    out.spent = db::spent_since(connection, since);
    return out;
  });
}

Result<wire::Failures> failures_seen(Store store, std::string_view repository, std::string_view fingerprint,
                                     int limit) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<wire::Failures>(wire::Failures{db::failures_seen(connection, id, fingerprint, limit)});
  });
}

Result<std::optional<Conclusion>> branch_conclusion(Store store, std::string_view repository, Instant now) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    const std::vector<wire::BranchState> states = read_states(connection, now).states;
    for (const Conclusion bad : {Conclusion::broken, Conclusion::regressed})
      for (const wire::BranchState& state : states)
        if (state.repository == repository && state.conclusion == bad) return Result<std::optional<Conclusion>>(bad);
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
