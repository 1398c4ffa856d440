// SPDX-License-Identifier: Apache-2.0
#include "db/history/benchmark_history.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/history/trend.hpp"
#include "core/stats/summary.hpp"
#include "db/baselines/anchors.hpp"
#include "db/history/roofs.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/lines.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr const char* kOfMainLine =
    "FROM benchmarks b JOIN history g ON g.benchmark_id = b.id JOIN runs r ON r.id = g.run_id "
    "WHERE b.repository_id = ?2 AND b.suite = ?3 AND b.name = ?4 AND (?5 = '' OR r.branch = ?5) "
    "AND r.trust = 'trusted' AND r.source <> 'work-tree' AND g.median_ns > 0 "
    "AND g.verdict NOT IN ('broken', 'crashed', 'timed_out', 'invalid') ";

std::int64_t newest_epoch(Connection& connection, const HistoryQuery& query) {
  Statement row = connection.query(
      "SELECT g.epoch_id, ?1 " + std::string(kOfMainLine) + "AND g.epoch_id IS NOT NULL ORDER BY g.run_id DESC LIMIT 1",
      0, query.repository, query.suite, query.benchmark, query.branch);
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
          std::string(kHeadIsOnBranch) + kOfMainLine + "AND g.epoch_id IS NOT NULL ORDER BY g.run_id DESC",
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

// So many of the first points make the level that ratios to an epoch's start are of.
constexpr std::size_t kStartPoints = 10;

std::optional<double> start_of(const std::vector<wire::HistoryPoint>& points) {
  std::vector<double> first;
  for (std::size_t i = 0; i < std::min(points.size(), kStartPoints); ++i) first.push_back(points[i].median_ns);
  const auto median = stats::median(first);
  return median ? std::optional(*median) : std::nullopt;
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

std::vector<double> log_times(const wire::BenchmarkHistory& history) {
  std::vector<double> out;
  for (const wire::HistoryPoint& point : history.points) out.push_back(std::log(point.median_ns));
  return out;
}

wire::HistoryChange to_wire(const history::ChangePoint& change, const std::vector<wire::HistoryPoint>& points) {
  const wire::HistoryPoint& before = points[change.index - 1];
  const wire::HistoryPoint& after = points[change.index];
  return {.commit_before = before.commit,
          .commit_after = after.commit,
          .run_before = before.run,
          .run_after = after.run,
          .ratio = change.ratio,
          .p = change.p,
          .points_before = static_cast<int>(change.before),
          .points_after = static_cast<int>(change.after)};
}

wire::HistoryCreep to_wire(const history::Creep& creep, const std::vector<wire::HistoryPoint>& points) {
  const wire::HistoryPoint& before = points[creep.start];
  const wire::HistoryPoint& after = points[creep.start + 1];
  return {.commit_before = before.commit,
          .commit_after = after.commit,
          .run_before = before.run,
          .run_after = after.run,
          .ratio = creep.ratio,
          .ratio_per_commit = creep.ratio_per_point,
          .commits = static_cast<int>(points.size() - 1 - creep.start),
          .p = creep.p};
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

Status add_trend(wire::BenchmarkHistory& history) {
  const auto trend = history::find_trend(log_times(history));
  if (!trend) return pass_on(trend);
  history.changes.clear();
  for (const history::ChangePoint& change : trend->changes) history.changes.push_back(to_wire(change, history.points));
  history.creep.reset();
  if (trend->creep) history.creep = to_wire(*trend->creep, history.points);
  return {};
}

Result<std::vector<wire::HistoryChange>> newly_confirmed(const wire::BenchmarkHistory& history) {
  if (history.changes.empty()) return std::vector<wire::HistoryChange>{};
  const std::vector<double> times = log_times(history);
  const auto trend = history::find_trend(times);
  if (!trend) return pass_on(trend);
  const auto fresh = history::newly_confirmed(times, *trend);
  if (!fresh) return pass_on(fresh);
  std::vector<wire::HistoryChange> out;
  for (const history::ChangePoint& change : *fresh) out.push_back(to_wire(change, history.points));
  return out;
}

Result<wire::BenchmarkHistory> benchmark_history(Connection& connection, const HistoryQuery& query) {
  auto history = read_main_line(connection, query);
  if (!history) return history;
  if (const Status found = add_trend(*history); !found) return pass_on(found);
  if (history->points.empty()) return history;
  history->start_ns = start_of(history->points);
  history->work = work_of(connection, query.repository, *history);
  const auto lookup = find_anchor(connection, query.repository, EpochId{history->epoch});
  history->anchor_note = lookup.note;
  if (!lookup.anchor) return history;
  if (const Status held = compare_with_anchor(*history, *lookup.anchor); !held) return pass_on(held);
  return history;
}

}  // namespace kernelgate::db
