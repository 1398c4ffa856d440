// SPDX-License-Identifier: Apache-2.0
#include "db/history/overview.hpp"

#include "core/stats/summary.hpp"
#include "core/units/limits.hpp"
#include "db/runs/lines.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr int kPacesLookedAt = 9;

// The oldest run that is looked at.
std::int64_t first_run(Connection& connection) {
  Statement row = connection.query("SELECT coalesce(max(id), 0) FROM runs");
  return row.step() ? row.integer(0) - kRunsLookedAt : 0;
}

// What a later run of the default branch, if any, last measured the benchmark at.
std::optional<double> newest_median(Connection& connection, std::int64_t benchmark, std::int64_t epoch,
                                    const std::string& branch) {
  Statement row = connection.query(
      "SELECT c.head_median_ns FROM comparisons c JOIN runs r ON r.id = c.run_id "
      "WHERE c.benchmark_id = ? AND c.epoch_id = ? AND c.degrees > 0 AND r.branch = ? AND r.trust = 'trusted' "
      "AND c.head_median_ns IS NOT NULL "
      "AND r.conclusion <> 'infrastructure' AND" +
          std::string(kHeadIsOnBranch) + "ORDER BY c.run_id DESC LIMIT 1",
      benchmark, epoch, branch);
  if (!row.step()) return std::nullopt;
  return row.real(0);
}

// The band that a comparison was judged by, which its decision's document alone holds.
struct JudgedBand {
  double tolerate = 0, catch_limit = 0;
};
JudgedBand judged_band(Connection& connection, RunId run, std::int64_t position) {
  Statement row = connection.query(
      "SELECT json_extract(decision, '$.comparisons[' || ? || '].tolerate'), "
      "json_extract(decision, '$.comparisons[' || ? || '].catch_limit') FROM run_documents WHERE run_id = ?",
      position, position, run);
  if (!row.step()) return {};
  return {.tolerate = row.real(0), .catch_limit = row.real(1)};
}

// For every run, up to the level that was accepted and what the band leaves as room (core/decision/explain).
bool is_accepted(Connection& connection, std::int64_t benchmark, std::int64_t epoch, double head_median_ns,
                 const JudgedBand& band, Instant now) {
  Statement row = connection.query(
      "SELECT 1 FROM acknowledged_benchmarks b JOIN acknowledgements a ON a.id = b.acknowledgement_id "
      "WHERE b.benchmark_id = ? AND a.epoch_id = ? AND a.revoked_at IS NULL AND "
      "(a.expires_at IS NULL OR a.expires_at > ?) AND (a.pull_request IS NULL OR a.merged_at IS NOT NULL) AND "
      "b.head_median_ns * ? >= ? LIMIT 1",
      benchmark, epoch, now, 1 + (band.tolerate + band.catch_limit) / 2, head_median_ns);
  return row.step();
}

bool is_quarantined(Connection& connection, std::int64_t benchmark, std::int64_t epoch) {
  Statement row = connection.query(
      "SELECT 1 FROM quarantines WHERE benchmark_id = ? AND released_at IS NULL AND (epoch_id IS NULL OR epoch_id = ?)",
      benchmark, epoch);
  return row.step();
}

}  // namespace

std::vector<RecentRun> recent_runs(Connection& connection) {
  Statement row = connection.query(
      "SELECT repository, testbed, id, hash, subject, conclusion, finished_at FROM ("
      "SELECT p.name AS repository, t.name AS testbed, r.id, h.hash, h.subject, r.conclusion, r.finished_at, "
      "row_number() OVER (PARTITION BY p.id, t.id ORDER BY r.id DESC) AS place FROM runs r "
      "JOIN repositories p ON p.id = r.repository_id JOIN commits h ON h.id = r.head_id "
      "JOIN epochs e ON e.id = r.epoch_id JOIN testbeds t ON t.id = e.testbed_id "
      "WHERE r.id > ? AND r.branch = p.default_branch AND r.trust = 'trusted' AND r.conclusion IS NOT NULL "
      "AND r.source <> 'remeasure' AND" +
          std::string(kHeadIsOnBranch) +
          ") "
          "WHERE place <= ? ORDER BY repository, testbed, id DESC",
      first_run(connection), kRecentRuns);
  std::vector<RecentRun> out;
  while (row.step())
    out.push_back({.repository = row.text(0),
                   .testbed = row.text(1),
                   .run = row.id<RunId>(2),
                   .commit = row.text(3),
                   .subject = row.text(4),
                   .conclusion = known(parse_conclusion(row.text(5)), row.text(5)),
                   .finished_at = row.instant(6)});
  return out;
}

std::vector<OpenRegression> open_regressions(Connection& connection, Instant now) {
  Statement row = connection.query(
      "SELECT p.name, t.name, b.suite, b.name, r.id, h.hash, h.subject, h.author, coalesce(base.hash, ''), "
      "r.finished_at, c.ratio, c.ratio_low, c.ratio_high, c.benchmark_id, c.epoch_id, c.base_median_ns, "
      "c.head_median_ns, p.default_branch, c.position, max(r.id) FROM runs r "
      "JOIN comparisons c ON c.run_id = r.id JOIN benchmarks b ON b.id = c.benchmark_id "
      "JOIN repositories p ON p.id = r.repository_id JOIN commits h ON h.id = r.head_id "
      "LEFT JOIN commits base ON base.id = r.base_id JOIN epochs e ON e.id = r.epoch_id "
      "JOIN testbeds t ON t.id = e.testbed_id "
      "WHERE r.id > ? AND r.conclusion = 'regressed' AND r.branch = p.default_branch AND r.trust = 'trusted' "
      "AND c.verdict = 'regressed' "
      "AND c.ratio IS NOT NULL AND c.head_median_ns IS NOT NULL AND c.base_median_ns IS NOT NULL "
      "AND e.id = (SELECT max(id) FROM epochs WHERE testbed_id = t.id) AND" +
          std::string(kHeadIsOnBranch) + "GROUP BY c.benchmark_id, c.epoch_id ORDER BY r.id DESC, c.position",
      first_run(connection));
  std::vector<OpenRegression> out;
  while (out.size() < limits::kOpenRegressionsMax && row.step()) {
    const std::int64_t benchmark = row.integer(13), epoch = row.integer(14);
    const double old_level = row.real(15), new_level = row.real(16);
    const double present = newest_median(connection, benchmark, epoch, row.text(17)).value_or(new_level);
    const JudgedBand band = judged_band(connection, row.id<RunId>(4), row.integer(18));
    if (present * present < old_level * new_level || is_accepted(connection, benchmark, epoch, new_level, band, now) ||
        is_quarantined(connection, benchmark, epoch))
      continue;
    out.push_back({.repository = row.text(0),
                   .testbed = row.text(1),
                   .suite = row.text(2),
                   .benchmark = row.text(3),
                   .run = row.id<RunId>(4),
                   .commit = row.text(5),
                   .subject = row.text(6),
                   .author = row.text(7),
                   .base_commit = row.text(8),
                   .found_at = row.instant(9),
                   .ratio = row.real(10),
                   .ratio_low = row.maybe_real(11),
                   .ratio_high = row.maybe_real(12),
                   .tolerate = band.tolerate,
                   .catch_limit = band.catch_limit});
  }
  return out;
}

std::vector<BrokenKernel> broken_kernels(Connection& connection) {
  Statement row = connection.query(
      "WITH newest AS (SELECT p.name AS repository, t.name AS testbed, max(r.id) AS id FROM runs r "
      "JOIN repositories p ON p.id = r.repository_id JOIN epochs e ON e.id = r.epoch_id "
      "JOIN testbeds t ON t.id = e.testbed_id WHERE r.id > ? AND r.branch = p.default_branch AND r.trust = 'trusted' "
      "AND r.conclusion IN ('passed', 'regressed', 'broken', 'undecided') AND r.source <> 'remeasure' AND" +
          std::string(kHeadIsOnBranch) +
          "GROUP BY p.id, t.id) "
          "SELECT n.repository, n.testbed, b.suite, b.name, c.verdict, c.reason, c.fingerprint, r.id, h.hash, "
          "h.subject, "
          "r.finished_at FROM newest n JOIN runs r ON r.id = n.id JOIN comparisons c ON c.run_id = r.id "
          "JOIN benchmarks b ON b.id = c.benchmark_id JOIN commits h ON h.id = r.head_id "
          "WHERE c.verdict IN ('broken', 'crashed', 'timed_out', 'invalid') ORDER BY r.id DESC, c.position",
      first_run(connection));
  std::vector<BrokenKernel> out;
  while (row.step())
    out.push_back({.repository = row.text(0),
                   .testbed = row.text(1),
                   .suite = row.text(2),
                   .benchmark = row.text(3),
                   .verdict = known(parse_verdict(row.text(4)), row.text(4)),
                   .reason = row.text(5),
                   .fingerprint = row.text(6),
                   .run = row.id<RunId>(7),
                   .commit = row.text(8),
                   .subject = row.text(9),
                   .found_at = row.instant(10)});
  return out;
}

std::vector<RunnerSeen> runners_seen(Connection& connection) {
  Statement row = connection.query(
      "SELECT r.runner, t.name, e.gpu_model, r.state, r.progress, max(r.id), coalesce(r.started_at, r.created_at), "
      "coalesce((SELECT device_state FROM processes WHERE run_id = r.id ORDER BY id DESC LIMIT 1), '') FROM runs r "
      "JOIN epochs e ON e.id = r.epoch_id JOIN testbeds t ON t.id = e.testbed_id "
      "WHERE r.id > ? AND r.runner <> '' GROUP BY r.runner ORDER BY r.runner",
      first_run(connection));
  std::vector<RunnerSeen> out;
  while (row.step())
    out.push_back({.name = row.text(0),
                   .testbed = row.text(1),
                   .gpu_model = row.text(2),
                   .state = known(parse_run_state(row.text(3)), row.text(3)),
                   .progress = row.text(4),
                   .run = row.id<RunId>(5),
                   .started_at = row.instant(6),
                   .gpu = wire::gpu_seen(row.text(7))});
  return out;
}

Spent spent_since(Connection& connection, Instant since) {
  Statement row = connection.query(
      "SELECT count(*), coalesce(sum(held), 0), coalesce(sum(used), 0), sum(held * price / 3600) FROM ("
      "SELECT r.gpu_s_held AS held, r.gpu_s_used AS used, (SELECT iif(json_valid(device_state), "
      "json_extract(device_state, '$.price_per_hour'), NULL) FROM processes WHERE run_id = r.id ORDER BY id DESC "
      "LIMIT 1) AS price "
      "FROM runs r WHERE r.id > ? AND r.finished_at >= ?)",
      first_run(connection), since);
  if (!row.step()) return {};
  return {.runs = row.integer(0), .gpu_s_held = row.real(1), .gpu_s_used = row.real(2), .cost = row.maybe_real(3)};
}

RunPace pace_of(Connection& connection, RunId run) {
  RunPace out;
  Statement pairs = connection.query(
      "SELECT count(*) FROM (SELECT 1 FROM processes WHERE run_id = ? AND superseded = 0 "
      "GROUP BY suite, round, pair HAVING count(DISTINCT side) = 2)",
      run);
  if (pairs.step()) out.pairs = static_cast<int>(pairs.integer(0));
  Statement row = connection.query(
      "SELECT (r.finished_at - r.started_at) / 1000.0 FROM runs r JOIN runs self ON self.id = ? "
      "WHERE r.repository_id = self.repository_id AND r.id < self.id AND r.state = 'done' "
      "AND r.reused_from IS NULL AND r.started_at IS NOT NULL ORDER BY r.id DESC LIMIT ?",
      run, kPacesLookedAt);
  std::vector<double> seconds;
  while (row.step()) seconds.push_back(row.real(0));
  if (const auto middle = stats::median(seconds)) out.expected_s = *middle;
  return out;
}

std::vector<FailureSeen> failures_seen(Connection& connection, RepositoryId repository, std::string_view fingerprint,
                                       int limit) {
  Statement row = connection.query(
      "SELECT r.id, h.hash, r.branch, h.subject, b.name, c.verdict, r.finished_at FROM runs r "
      "JOIN comparisons c ON c.run_id = r.id JOIN benchmarks b ON b.id = c.benchmark_id "
      "JOIN commits h ON h.id = r.head_id WHERE r.state = 'done' AND r.conclusion = 'broken' "
      "AND r.repository_id = ? AND c.fingerprint = ? GROUP BY r.id ORDER BY r.id DESC LIMIT ?",
      repository, fingerprint, limit);
  std::vector<FailureSeen> out;
  while (row.step())
    out.push_back({.run = row.id<RunId>(0),
                   .commit = row.text(1),
                   .branch = row.text(2),
                   .subject = row.text(3),
                   .benchmark = row.text(4),
                   .verdict = known(parse_verdict(row.text(5)), row.text(5)),
                   .finished_at = row.instant(6)});
  return out;
}

}  // namespace kernelgate::db
