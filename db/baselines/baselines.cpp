// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/baselines.hpp"

#include <algorithm>

#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectBaselines =
    "SELECT l.id, l.repository_id, l.run_id, l.epoch_id, l.name, c.hash, l.actor, l.reason, "
    "l.promoted_at, l.replaced_at, l.anchor, (SELECT count(*) FROM runs s WHERE s.head_id = r.head_id AND s.epoch_id = "
    "l.epoch_id AND s.source = 'remeasure' AND s.state = 'done' AND s.conclusion = 'passed') "
    "FROM baselines l JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id ";

Baseline read_baseline(const Statement& row) {
  return {.id = row.id<BaselineId>(0),
          .repository = row.id<RepositoryId>(1),
          .run = row.id<RunId>(2),
          .epoch = row.id<EpochId>(3),
          .name = row.text(4),
          .commit = row.text(5),
          .actor = row.text(6),
          .reason = row.text(7),
          .promoted_at = row.instant(8),
          .replaced_at = row.maybe_instant(9),
          .anchor = row.boolean(10),
          .sessions = static_cast<int>(row.integer(11)),
          .benchmarks = {}};
}

void read_benchmarks(Connection& connection, Baseline& baseline) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, l.median_ns, l.process_count FROM baseline_benchmarks l "
      "JOIN benchmarks b ON b.id = l.benchmark_id WHERE l.baseline_id = ? ORDER BY b.suite, b.name",
      baseline.id);
  while (row.step())
    baseline.benchmarks.push_back({.suite = row.text(0),
                                   .benchmark = row.text(1),
                                   .median_ns = row.real(2),
                                   .processes = static_cast<int>(row.integer(3))});
}

}  // namespace

BaselineId add_baseline(Connection& connection, const Baseline& one, Instant now) {
  if (!one.replaced_at)
    connection.run(
        "UPDATE baselines SET replaced_at = ? WHERE repository_id = ? AND name = ? AND epoch_id = ? "
        "AND replaced_at IS NULL",
        now, one.repository, one.name, one.epoch);
  connection.run(
      "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at, replaced_at, anchor) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      one.repository, one.run, one.epoch, one.name, one.actor, one.reason, one.promoted_at, one.replaced_at,
      one.anchor);
  const BaselineId id{connection.last_insert_id()};
  for (const BaselineBenchmark& each : one.benchmarks)
    connection.run(
        "INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count) VALUES (?, ?, ?, ?)", id,
        benchmark_row(connection, one.repository, each.suite, each.benchmark), each.median_ns, each.processes);
  return id;
}

Result<BaselineId> promote(Connection& connection, const Promotion& promotion, Instant now) {
  const auto run = get_run(connection, promotion.run);
  if (!run) return pass_on(run);
  if (!run->epoch) return fail(Errc::conflict, "run " + std::to_string(run->id.value) + " has no epoch");
  Baseline made;
  made.repository = promotion.repository;
  made.run = run->id;
  made.epoch = *run->epoch;
  made.name = promotion.name;
  made.actor = promotion.actor;
  made.reason = promotion.reason;
  made.promoted_at = now;
  made.anchor = promotion.anchor;
  const BaselineId id = add_baseline(connection, made, now);
  connection.run(
      "INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count) "
      "SELECT ?, benchmark_id, median_ns, process_count FROM history WHERE run_id = ?",
      id, promotion.run);
  return id;
}

std::optional<UnfitComparison> unfit_comparison(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, c.verdict FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id "
      "= ? AND c.verdict NOT IN ('improved', 'unchanged', 'added', 'identical', 'missing') ORDER BY c.position",
      run);
  if (!row.step()) return std::nullopt;
  return UnfitComparison{.suite = row.text(0), .benchmark = row.text(1), .verdict = row.text(2)};
}

// A disturbed process that was redone did no harm: only the last attempt of a pair counts.
std::optional<Disturbance> find_disturbance(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT p.suite, p.pair, p.disturbance FROM processes p WHERE p.run_id = ? AND p.superseded = 0 AND p.disturbed "
      "<> 0 AND NOT EXISTS (SELECT 1 FROM processes redo WHERE redo.run_id = p.run_id AND redo.superseded = 0 "
      "AND redo.suite = p.suite AND redo.side = p.side AND redo.round = p.round AND redo.pair = p.pair "
      "AND redo.attempt > p.attempt) ORDER BY p.id",
      run);
  if (!row.step()) return std::nullopt;
  return Disturbance{.suite = row.text(0), .pair = row.integer(1), .what = row.text(2)};
}

bool has_history(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT 1 FROM history WHERE run_id = ? LIMIT 1", run);
  return row.step();
}

Result<Baseline> get_baseline(Connection& connection, BaselineId id) {
  Statement row = connection.query(std::string(kSelectBaselines) + "WHERE l.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no baseline " + std::to_string(id.value));
  Baseline baseline = read_baseline(row);
  read_benchmarks(connection, baseline);
  return baseline;
}

std::optional<Baseline> find_promotion(Connection& connection, const Baseline& like) {
  Statement row = connection.query(std::string(kSelectBaselines) +
                                       "WHERE l.repository_id = ? AND l.name = ? AND l.epoch_id = ? AND l.run_id = ? "
                                       "AND l.promoted_at = ?",
                                   like.repository, like.name, like.epoch, like.run, like.promoted_at);
  if (!row.step()) return std::nullopt;
  return read_baseline(row);
}

std::optional<Baseline> find_baseline(Connection& connection, RepositoryId repository, std::string_view name,
                                      EpochId epoch) {
  Statement row =
      connection.query(std::string(kSelectBaselines) +
                           "WHERE l.repository_id = ? AND l.name = ? AND l.epoch_id = ? AND l.replaced_at IS NULL",
                       repository, name, epoch);
  if (!row.step()) return std::nullopt;
  Baseline baseline = read_baseline(row);
  read_benchmarks(connection, baseline);
  return baseline;
}

std::vector<std::string> baseline_commits(Connection& connection, RepositoryId repository) {
  std::vector<std::string> commits;
  for (const Baseline& baseline : list_baselines(connection, repository))
    if (!baseline.replaced_at && std::find(commits.begin(), commits.end(), baseline.commit) == commits.end())
      commits.push_back(baseline.commit);
  return commits;
}

std::vector<Baseline> list_baselines(Connection& connection, RepositoryId repository, const Page& page) {
  Statement row = connection.query(
      std::string(kSelectBaselines) + "WHERE l.repository_id = ? AND l.id < ? ORDER BY l.id DESC LIMIT ?", repository,
      first_below(page), row_limit(page));
  std::vector<Baseline> baselines;
  while (row.step()) baselines.push_back(read_baseline(row));
  return baselines;
}

wire::WholeBaseline to_wire(const Baseline& baseline) {
  wire::WholeBaseline out{.baseline = {.id = baseline.id.value,
                                       .run = baseline.run.value,
                                       .epoch = baseline.epoch.value,
                                       .name = baseline.name,
                                       .commit = baseline.commit,
                                       .actor = baseline.actor,
                                       .reason = baseline.reason,
                                       .promoted_at = baseline.promoted_at,
                                       .replaced_at = baseline.replaced_at,
                                       .anchor = baseline.anchor,
                                       .sessions = baseline.sessions},
                          .benchmarks = {}};
  for (const BaselineBenchmark& one : baseline.benchmarks)
    out.benchmarks.push_back(
        {.suite = one.suite, .benchmark = one.benchmark, .median_ns = one.median_ns, .processes = one.processes});
  return out;
}

}  // namespace kernelgate::db
