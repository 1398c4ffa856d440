// SPDX-License-Identifier: Apache-2.0
#include "db/history/main_line.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "db/repositories/repositories.hpp"
#include "db/runs/lines.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

const std::string kIsPoint =
    "AND r.trust = 'trusted' AND r.source <> 'work-tree' AND g.median_ns > 0 AND g.epoch_id IS NOT NULL "
    "AND g.verdict NOT IN ('broken', 'crashed', 'timed_out', 'invalid') ";
const std::string kOfMainLine =
    "FROM benchmarks b JOIN history g ON g.benchmark_id = b.id JOIN runs r ON r.id = g.run_id "
    "WHERE b.repository_id = ?2 AND b.suite = ?3 AND b.name = ?4 AND (?5 = '' OR r.branch = ?5) " +
    kIsPoint;

std::int64_t newest_epoch(Connection& connection, const HistoryQuery& query) {
  Statement row = connection.query("SELECT g.epoch_id, ?1 " + kOfMainLine + "ORDER BY g.run_id DESC LIMIT 1", 0,
                                   query.repository, query.suite, query.benchmark, query.branch);
  return row.step() ? row.integer(0) : 0;
}

// A row of the benchmark's history: what a run measured of its head, and the commit that this was measured against.
struct MeasuredRun {
  wire::HistoryPoint head;
  std::string base;
  bool on_branch = true;  // head is; base always is
};

// The rows of out.epoch, oldest first; fills epochs and older_left_out. One pass over all the benchmark's rows.
std::vector<MeasuredRun> read_rows(Connection& connection, const HistoryQuery& query, wire::BenchmarkHistory& out) {
  Statement row = connection.query(
      "SELECT g.epoch_id, g.run_id, CASE g.epoch_id WHEN ?1 THEN (SELECT c.hash FROM commits c WHERE c.id = r.head_id) "
      "END, g.finished_at, g.median_ns, g.spread_ns, g.process_count, g.verdict, CASE WHEN g.epoch_id = ?1 AND "
      "r.base_kind IN ('before', 'first_parent', 'merge_base') THEN (SELECT c.hash FROM commits c WHERE c.id = "
      "r.base_id) END," +
          std::string(kHeadIsOnBranch) + kOfMainLine + "ORDER BY g.run_id DESC",
      out.epoch, query.repository, query.suite, query.benchmark, query.branch);
  std::vector<MeasuredRun> runs;
  while (row.step()) {
    const std::int64_t epoch = row.integer(0);
    if (std::find(out.epochs.rbegin(), out.epochs.rend(), epoch) == out.epochs.rend()) out.epochs.push_back(epoch);
    if (epoch != out.epoch) continue;
    out.older_left_out = runs.size() == static_cast<std::size_t>(query.points);
    if (out.older_left_out) continue;
    runs.push_back({.head = {.run = row.integer(1),
                             .commit = row.text(2),
                             .finished_at = row.instant(3),
                             .median_ns = row.real(4),
                             .spread_ns = row.real(5),
                             .processes = static_cast<int>(row.integer(6)),
                             .verdict = known(parse_verdict(row.text(7)), row.text(7))},
                    .base = row.text(8),
                    .on_branch = row.integer(9) != 0});
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

// What the run measured of its base.
std::optional<wire::HistoryPoint> base_point(Connection& connection, const HistoryQuery& query,
                                             const MeasuredRun& measured) {
  Statement row = connection.query(
      "SELECT c.base_median_ns FROM benchmarks b JOIN comparisons c ON c.benchmark_id = b.id WHERE b.repository_id = ? "
      "AND b.suite = ? AND b.name = ? AND c.run_id = ? AND c.base_median_ns > 0 ORDER BY c.position LIMIT 1",
      query.repository, query.suite, query.benchmark, measured.head.run);
  if (!row.step()) return std::nullopt;
  wire::HistoryPoint point = measured.head;
  point.commit = measured.base;
  point.median_ns = row.real(0);
  point.spread_ns = 0;
  point.verdict = Verdict::unchanged;
  point.side = Side::base;
  return point;
}

// The branch's levels: its heads, and before the head that was measured against it each base that no run had as its
// head. Without those the first regression of a repository would have no level to rise from.
std::vector<wire::HistoryPoint> levels_of(Connection& connection, const HistoryQuery& query,
                                          const std::vector<MeasuredRun>& runs) {
  std::unordered_set<std::string> known;
  for (const MeasuredRun& run : runs)
    if (run.on_branch) known.insert(run.head.commit);
  std::vector<wire::HistoryPoint> out;
  for (const MeasuredRun& run : runs) {
    if (!run.base.empty() && known.insert(run.base).second)
      if (auto base = base_point(connection, query, run)) out.push_back(std::move(*base));
    if (run.on_branch) out.push_back(run.head);
  }
  return out;
}

// A commit that was measured again keeps its place and takes the newest figures.
std::vector<wire::HistoryPoint> one_a_commit(std::vector<wire::HistoryPoint> points) {
  std::vector<wire::HistoryPoint> out;
  std::unordered_map<std::string, std::size_t> place;
  for (wire::HistoryPoint& point : points) {
    const auto [known, is_new] = place.try_emplace(point.commit, out.size());
    if (is_new)
      out.push_back(std::move(point));
    else
      out[known->second] = std::move(point);
  }
  return out;
}

}  // namespace

Result<wire::BenchmarkHistory> read_main_line(Connection& connection, const HistoryQuery& query) {
  const auto repository = get_repository(connection, query.repository);
  if (!repository) return pass_on(repository);
  wire::BenchmarkHistory out;
  out.repository = repository->name;
  out.suite = query.suite;
  out.benchmark = query.benchmark;
  out.branch = query.branch;
  out.epoch = query.epoch ? query.epoch->value : newest_epoch(connection, query);
  out.points = one_a_commit(levels_of(connection, query, read_rows(connection, query, out)));
  return out;
}

std::vector<double> recent_levels(Connection& connection, std::int64_t benchmark, std::string_view branch) {
  Statement row = connection.query(
      "SELECT g.median_ns, g.epoch_id FROM history g JOIN runs r ON r.id = g.run_id WHERE g.benchmark_id = ? AND "
      "r.branch = ? " +
          kIsPoint + "AND" + std::string(kHeadIsOnBranch) + "ORDER BY g.run_id DESC LIMIT ?",
      benchmark, branch, limits::kRecentPointsMax);
  std::vector<double> out;
  for (std::int64_t epoch = 0; row.step() && (out.empty() || row.integer(1) == epoch);) {
    epoch = row.integer(1);
    out.push_back(row.real(0));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace kernelgate::db
