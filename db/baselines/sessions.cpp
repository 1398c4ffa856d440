// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/sessions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/decision/rule/stored_screen.hpp"
#include "core/units/limits.hpp"

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

std::optional<Baseline> newest_present(Connection& connection, RepositoryId repository, EpochId epoch, bool anchor) {
  Statement row = connection.query(
      "SELECT id FROM baselines WHERE repository_id = ? AND epoch_id = ? AND replaced_at IS NULL AND anchor >= ? ORDER "
      "BY "
      "id DESC LIMIT 1",
      repository, epoch, anchor);
  if (!row.step()) return std::nullopt;
  return get_baseline(connection, row.id<BaselineId>(0)).value();
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
  return out;
}

std::string anchor_commit(Connection& connection, RepositoryId repository, EpochId epoch) {
  const auto anchor = newest_present(connection, repository, epoch, true);
  return anchor ? anchor->commit : "";
}

std::vector<Baseline> present_baselines(Connection& connection, RepositoryId repository, std::string_view name) {
  std::vector<BaselineId> ids;
  {
    Statement row = connection.query(
        "SELECT id FROM baselines WHERE repository_id = ?1 AND replaced_at IS NULL AND (?2 = '' OR name = ?2) "
        "ORDER BY id DESC",
        repository, name);
    while (row.step()) ids.push_back(row.id<BaselineId>(0));
  }
  std::vector<Baseline> out;
  for (const BaselineId id : ids) out.push_back(get_baseline(connection, id).value());
  return out;
}

std::optional<RunId> unfinished_session(Connection& connection, const Baseline& baseline) {
  Statement row = connection.query(
      "SELECT r.id FROM runs r JOIN commits c ON c.id = r.head_id JOIN jobs j ON j.run_id = r.id "
      "WHERE r.repository_id = ? AND c.hash = ? AND r.source = ? LIMIT 1",
      baseline.repository, baseline.commit, kSessionSource);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

void bind_session(Connection& connection, RunId run, const std::string& testbed) {
  connection.run("UPDATE jobs SET testbed = ? WHERE run_id = ?", testbed, run);
}

bool is_session(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT 1 FROM runs WHERE id = ? AND source = ?", run, kSessionSource);
  return row.step();
}

}  // namespace kernelgate::db
