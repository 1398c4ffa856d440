// SPDX-License-Identifier: Apache-2.0
#include "db/runs/carry.hpp"

#include <vector>

#include "db/accounts/audit.hpp"

namespace kernelgate::db {
namespace {

struct Source {
  BaselineId id;
  EpochId epoch;
  std::string name;
};

std::vector<Source> sources_of(Connection& connection, const Carry& carry) {
  Statement row = connection.query(
      "SELECT l.id, l.epoch_id, l.name FROM baselines l "
      "JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id JOIN epochs e ON e.id = l.epoch_id "
      "WHERE l.repository_id = ?1 AND c.hash = ?2 AND l.replaced_at IS NULL AND l.epoch_id < ?3 "
      "AND e.testbed_id = (SELECT testbed_id FROM epochs WHERE id = ?3) "
      "AND NOT EXISTS (SELECT 1 FROM baselines n WHERE n.repository_id = l.repository_id AND n.name = l.name "
      "AND n.replaced_at IS NULL AND n.epoch_id IN (SELECT id FROM epochs WHERE testbed_id = e.testbed_id) "
      "AND n.epoch_id > l.epoch_id) ORDER BY l.id",
      carry.repository, carry.commit, carry.to);
  std::vector<Source> out;
  while (row.step()) out.push_back({row.id<BaselineId>(0), row.id<EpochId>(1), row.text(2)});
  return out;
}

// How many of the source's benchmarks have a new figure.
int copy_benchmarks(Connection& connection, const Source& source, BaselineId target, const Carry& carry) {
  int copied = 0;
  for (const auto& figure : carry.figures) {
    connection.run(
        "INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count) "
        "SELECT ?, l.benchmark_id, ?, ? FROM baseline_benchmarks l JOIN benchmarks b ON b.id = l.benchmark_id "
        "WHERE l.baseline_id = ? AND b.suite = ? AND b.name = ?",
        target, figure.median_ns, figure.processes, source.id, figure.suite, figure.benchmark);
    copied += static_cast<int>(connection.changes());
  }
  return copied;
}

}  // namespace

int carry_baselines(Connection& connection, const Carry& carry, Instant now) {
  int carried = 0;
  for (const Source& source : sources_of(connection, carry)) {
    const std::string reason = "carried from epoch " + std::to_string(source.epoch.value) + ": " + carry.text;
    connection.run(
        "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at, anchor) "
        "SELECT repository_id, run_id, ?, name, ?, ?, ?, anchor FROM baselines WHERE id = ?",
        carry.to, carry.actor, reason, now, source.id);
    const BaselineId target{connection.last_insert_id()};
    if (copy_benchmarks(connection, source, target, carry) == 0) {
      connection.run("DELETE FROM baselines WHERE id = ?", target);
      continue;
    }
    ++carried;
    log_action(connection,
               {.actor = carry.actor,
                .action = "baseline.carry",
                .subject = "baseline " + std::to_string(target.value),
                .detail = source.name + ": " + reason},
               now);
  }
  return carried;
}

}  // namespace kernelgate::db
