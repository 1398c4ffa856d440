// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/carried.hpp"

namespace kernelgate::db {

std::vector<CarrySource> carry_sources(Connection& connection, RepositoryId repository, const std::string& commit,
                                       EpochId to) {
  Statement row = connection.query(
      "SELECT l.id, l.epoch_id, l.name FROM baselines l "
      "JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id JOIN epochs e ON e.id = l.epoch_id "
      "WHERE l.repository_id = ?1 AND c.hash = ?2 AND l.replaced_at IS NULL AND l.epoch_id < ?3 "
      "AND e.testbed_id = (SELECT testbed_id FROM epochs WHERE id = ?3) "
      "AND NOT EXISTS (SELECT 1 FROM baselines n WHERE n.repository_id = l.repository_id AND n.name = l.name "
      "AND n.replaced_at IS NULL AND n.epoch_id IN (SELECT id FROM epochs WHERE testbed_id = e.testbed_id) "
      "AND n.epoch_id > l.epoch_id) ORDER BY l.id",
      repository, commit, to);
  std::vector<CarrySource> out;
  while (row.step()) out.push_back({row.id<BaselineId>(0), row.id<EpochId>(1), row.text(2)});
  return out;
}

BaselineId copy_baseline(Connection& connection, const BaselineCopy& copy, Instant now) {
  connection.run(
      "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at, anchor) "
      "SELECT repository_id, run_id, ?, name, ?, ?, ?, anchor FROM baselines WHERE id = ?",
      copy.to, copy.actor, copy.reason, now, copy.source);
  return BaselineId{connection.last_insert_id()};
}

int copy_benchmarks(Connection& connection, BaselineId source, BaselineId copy,
                    std::span<const wire::EpochFigure> figures) {
  int copied = 0;
  for (const wire::EpochFigure& figure : figures) {
    connection.run(
        "INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count) "
        "SELECT ?, l.benchmark_id, ?, ? FROM baseline_benchmarks l JOIN benchmarks b ON b.id = l.benchmark_id "
        "WHERE l.baseline_id = ? AND b.suite = ? AND b.name = ?",
        copy, figure.median_ns, figure.processes, source, figure.suite, figure.benchmark);
    copied += static_cast<int>(connection.changes());
  }
  return copied;
}

void drop_baseline(Connection& connection, BaselineId baseline) {
  connection.run("DELETE FROM baselines WHERE id = ?", baseline);
}

}  // namespace kernelgate::db
