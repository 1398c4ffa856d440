// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/baseline_rows.hpp"

#include <algorithm>

#include "core/units/limits.hpp"
#include "db/baselines/sessions.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {

std::vector<BaselineId> measured_baselines(Connection& connection, RepositoryId repository, const std::string& name) {
  Statement row = connection.query(
      "SELECT l.id FROM baselines l JOIN runs r ON r.id = l.run_id WHERE l.repository_id = ? AND l.replaced_at IS NULL "
      "AND r.epoch_id = l.epoch_id AND (? = '' OR l.name = ?) ORDER BY l.id",
      repository, name, name);
  std::vector<BaselineId> out;
  while (row.step()) out.push_back(row.id<BaselineId>(0));
  return out;
}

std::vector<BaselineRun> baseline_runs(Connection& connection, const Baseline& baseline) {
  Statement row = connection.query(
      "SELECT r.id, r.finished_at FROM runs r JOIN commits c ON c.id = r.head_id WHERE r.repository_id = ? AND "
      "(r.id = ? OR (c.hash = ? AND r.epoch_id = ? AND r.source = ? AND r.state = 'done' AND r.conclusion = 'passed')) "
      "ORDER BY r.id = ? DESC, r.id DESC LIMIT ?",
      baseline.repository, baseline.run, baseline.commit, baseline.epoch, kSessionSource, baseline.run,
      limits::kSessionsMax + 1);
  std::vector<BaselineRun> out;
  while (row.step()) out.push_back({.run = row.id<RunId>(0), .at = row.instant(1)});
  std::sort(out.begin(), out.end(), [](const BaselineRun& a, const BaselineRun& b) { return a.run < b.run; });
  return out;
}

std::vector<HeadSeries> head_series(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, p.process_id, s.sample_count, s.samples, s.median_ns, p.device_state FROM processes p "
      "JOIN series s ON s.process_id = p.id JOIN benchmarks b ON b.id = s.benchmark_id WHERE p.run_id = ? AND p.side = "
      "'head' AND p.superseded = 0 AND p.disturbed = 0 AND s.error = '' AND s.median_ns > 0 AND p.pair < ? "
      "ORDER BY p.pair, p.id",
      run, limits::kPairsMax);
  std::vector<HeadSeries> out;
  while (row.step())
    out.push_back({.suite = row.text(0),
                   .benchmark = row.text(1),
                   .process = row.text(2),
                   .samples = static_cast<int>(row.integer(3)),
                   .samples_ns = unpack(row.blob(4)),
                   .median_ns = row.real(5),
                   .state_json = row.text(6)});
  return out;
}

std::optional<ProcessOrigin> find_process(Connection& connection, const std::string& id) {
  Statement row = connection.query(
      "SELECT p.id, r.id, r.repository_id, r.epoch_id, c.hash, p.suite FROM processes p JOIN runs r ON r.id = p.run_id "
      "JOIN commits c ON c.id = r.head_id WHERE p.process_id = ?",
      id);
  if (!row.step()) return std::nullopt;
  return ProcessOrigin{.row = row.integer(0),
                       .run = row.id<RunId>(1),
                       .repository = row.id<RepositoryId>(2),
                       .epoch = row.maybe_id<EpochId>(3),
                       .commit = row.text(4),
                       .suite = row.text(5)};
}

StoredTimes stored_times(Connection& connection, std::int64_t process_row) {
  Statement row = connection.query(
      "SELECT b.name, s.median_ns, s.sample_count FROM series s JOIN benchmarks b ON b.id = s.benchmark_id WHERE "
      "s.process_id = ? AND s.error = '' AND s.median_ns > 0",
      process_row);
  StoredTimes out;
  while (row.step()) out[row.text(0)] = {row.real(1), row.integer(2)};
  return out;
}

void set_sample_counts(Connection& connection, const std::string& process, std::span<const int> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    connection.run(
        "UPDATE series SET sample_count = ? WHERE position = ? AND process_id = (SELECT id FROM processes WHERE "
        "process_id = ?)",
        counts[i], i, process);
}

void end_imported(Connection& connection, RunId run, const std::string& summary, Instant finished_at, Instant now) {
  connection.run(
      "UPDATE runs SET state = 'done', conclusion = 'passed', reason = 'imported', summary = ?, exit_code = 0, "
      "finished_at = ?, thinned_at = ? WHERE id = ?",
      summary, finished_at, now, run);
}

}  // namespace kernelgate::db
