// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/sessions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/decision/rule/stored_screen.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "db/repositories/testbeds.hpp"

namespace kernelgate::db {
namespace {

std::vector<RunId> session_runs(Connection& connection, const Baseline& baseline) {
  Statement row = connection.query(
      "SELECT r.id FROM runs r JOIN commits c ON c.id = r.head_id WHERE c.repository_id = ? AND c.hash = ? AND "
      "r.epoch_id "
      "= ? AND r.source = ? AND r.state = 'done' AND r.conclusion = 'passed' ORDER BY r.id DESC LIMIT ?",
      baseline.repository, baseline.commit, baseline.epoch, kSessionSource, limits::kSessionsMax);
  std::vector<RunId> out;
  while (row.step()) out.push_back(row.id<RunId>(0));
  std::erase_if(out, [&](RunId run) { return find_disturbance(connection, run).has_value(); });
  std::reverse(out.begin(), out.end());
  return out;
}

using Levels = std::map<std::pair<std::string, std::string>, std::map<int, double>>;  // suite, name; process

Levels levels_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, p.pair, s.median_ns FROM processes p JOIN series s ON s.process_id = p.id JOIN "
      "benchmarks b "
      "ON b.id = s.benchmark_id WHERE p.run_id = ? AND p.superseded = 0 AND p.side = 'head' AND s.error = '' AND "
      "s.median_ns > 0 ORDER BY p.attempt, p.id",
      run);
  Levels out;
  while (row.step()) out[{row.text(0), row.text(1)}][static_cast<int>(row.integer(2))] = std::log(row.real(3));
  return out;
}

// Drops the oldest sessions where there is more than a claim should carry.
void shorten(std::vector<StoredSessions>& all) {
  std::size_t figures = 0;
  for (const StoredSessions& one : all)
    for (const auto& session : one.sessions) figures += session.size();
  if (figures <= limits::kClaimFiguresMax) return;
  const std::size_t keep =
      std::max<std::size_t>(kStoredSessionsMin, limits::kSessionsMax * limits::kClaimFiguresMax / figures);
  for (StoredSessions& one : all)
    if (one.sessions.size() > keep)
      one.sessions.erase(one.sessions.begin(), one.sessions.end() - static_cast<std::ptrdiff_t>(keep));
}

std::optional<Baseline> newest_present(Connection& connection, RepositoryId repository, EpochId epoch, bool anchor) {
  Statement row = connection.query(
      "SELECT id FROM baselines WHERE repository_id = ? AND epoch_id = ? AND replaced_at IS NULL AND anchor >= ? ORDER "
      "BY "
      "id DESC LIMIT 1",
      repository, epoch, anchor);
  if (!row.step()) return std::nullopt;
  return get_baseline(connection, row.id<BaselineId>(0)).value();
}

std::string why_not(Connection& connection, const Baseline& baseline) {
  if (is_over(connection, baseline.epoch)) return "its epoch is over: promote a run of the present one";
  Statement row = connection.query(
      "SELECT r.id FROM runs r JOIN commits c ON c.id = r.head_id JOIN jobs j ON j.run_id = r.id WHERE r.repository_id "
      "= ? "
      "AND c.hash = ? AND r.source = ? LIMIT 1",
      baseline.repository, baseline.commit, kSessionSource);
  if (row.step()) return "run " + std::to_string(row.integer(0)) + " of it is not finished yet";
  return {};
}

}  // namespace

std::vector<StoredSessions> stored_sessions(Connection& connection, RepositoryId repository, EpochId epoch) {
  const auto baseline = newest_present(connection, repository, epoch, false);
  if (!baseline) return {};
  std::map<std::pair<std::string, std::string>, StoredSessions> found;
  for (const RunId run : session_runs(connection, *baseline))
    for (const auto& [name, levels] : levels_of(connection, run)) {
      if (levels.size() < static_cast<std::size_t>(kStoredProcessesMin)) continue;
      StoredSessions& entry = found[name];
      entry.suite = name.first;
      entry.benchmark = name.second;
      entry.baseline = baseline->name;
      entry.commit = baseline->commit;
      std::vector<double>& session = entry.sessions.emplace_back();
      for (const auto& [process, level] : levels) session.push_back(level);
    }
  std::vector<StoredSessions> out;
  for (auto& [name, entry] : found) out.push_back(std::move(entry));
  shorten(out);
  return out;
}

std::string anchor_commit(Connection& connection, RepositoryId repository, EpochId epoch) {
  const auto anchor = newest_present(connection, repository, epoch, true);
  return anchor ? anchor->commit : "";
}

std::vector<Remeasurable> remeasurable(Connection& connection, RepositoryId repository, std::string_view name) {
  std::vector<BaselineId> ids;
  {
    Statement row = connection.query(
        "SELECT id FROM baselines WHERE repository_id = ?1 AND replaced_at IS NULL AND (?2 = '' OR name = ?2) ORDER BY "
        "id "
        "DESC",
        repository, name);
    while (row.step()) ids.push_back(row.id<BaselineId>(0));
  }
  std::vector<Remeasurable> out;
  std::set<std::pair<std::string, EpochId>> seen;  // two names of one commit share their sessions
  for (const BaselineId id : ids) {
    Baseline baseline = get_baseline(connection, id).value();
    if (!seen.insert({baseline.commit, baseline.epoch}).second) continue;
    const auto epoch = get_epoch(connection, baseline.epoch);
    std::string why = why_not(connection, baseline);
    out.push_back(
        {.baseline = std::move(baseline), .testbed = epoch ? epoch->facts.name : "", .why_not = std::move(why)});
  }
  return out;
}

NewRun session_run(const Baseline& baseline, int processes, std::uint64_t seed) {
  NewRun run;
  run.repository = baseline.repository;
  run.commit = baseline.commit;
  run.base = {wire::BaseKind::none, std::to_string(processes)};
  run.source = kSessionSource;
  run.idempotency_key = "session:" + random_hex(16);
  run.seed = seed;
  run.force = true;  // a stored verdict is no session
  return run;
}

void bind_session(Connection& connection, RunId run, const std::string& testbed) {
  connection.run("UPDATE jobs SET testbed = ? WHERE run_id = ?", testbed, run);
}

bool is_session(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT 1 FROM runs WHERE id = ? AND source = ?", run, kSessionSource);
  return row.step();
}

}  // namespace kernelgate::db
