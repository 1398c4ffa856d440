// SPDX-License-Identifier: Apache-2.0
#include "db/history/history.hpp"

#include <algorithm>
#include <map>

#include "core/stats/summary.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

// Head's processes of one benchmark and round; of a pair's redos only the last counts.
struct HeadFigures {
  std::map<int, double> median_by_pair;
  std::map<int, std::int64_t> samples_by_pair;
};

using FiguresByRound = std::map<std::pair<std::int64_t, int>, HeadFigures>;  // benchmark row, round

FiguresByRound head_figures(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT s.benchmark_id, p.round, p.pair, s.median_ns, s.sample_count FROM processes p "
      "JOIN series s ON s.process_id = p.id WHERE p.run_id = ? AND p.superseded = 0 AND p.side = "
      "'head' "
      "AND s.median_ns IS NOT NULL AND s.error = '' ORDER BY p.attempt, p.id",
      run);
  FiguresByRound figures;
  while (row.step()) {
    HeadFigures& head = figures[{row.integer(0), static_cast<int>(row.integer(1))}];
    const int pair = static_cast<int>(row.integer(2));
    head.median_by_pair[pair] = row.real(3);
    head.samples_by_pair[pair] = row.integer(4);
  }
  return figures;
}

void insert_point(Connection& connection, RunId run, Instant finished_at, std::int64_t comparison_position,
                  const HeadFigures& head) {
  std::vector<double> medians;
  std::int64_t samples = 0;
  for (const auto& [pair, median] : head.median_by_pair) medians.push_back(median);
  for (const auto& [pair, count] : head.samples_by_pair) samples += count;
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  connection.run(
      "INSERT INTO history (benchmark_id, run_id, epoch_id, finished_at, median_ns, spread_ns, "
      "process_count, "
      "sample_count, verdict, ratio, ratio_low, ratio_high) "
      "SELECT benchmark_id, run_id, epoch_id, ?, ?, ?, ?, ?, verdict, ratio, ratio_low, ratio_high "
      "FROM comparisons "
      "WHERE run_id = ? AND position = ? ON CONFLICT (benchmark_id, run_id) DO NOTHING",
      finished_at, *stats::median(medians), *high - *low, medians.size(), samples, run, comparison_position);
}

}  // namespace

void write_history(Connection& connection, RunId run, Instant finished_at) {
  const FiguresByRound figures = head_figures(connection, run);
  Statement row =
      connection.query("SELECT position, benchmark_id, round FROM comparisons WHERE run_id = ? ORDER BY position", run);
  while (row.step()) {
    const auto found = figures.find({row.integer(1), static_cast<int>(row.integer(2))});
    if (found != figures.end()) insert_point(connection, run, finished_at, row.integer(0), found->second);
  }
}

std::vector<HistoryPoint> list_history(Connection& connection, const HistoryFilter& filter, const Page& page) {
  Statement row = connection.query(
      "SELECT g.run_id, c.hash, r.branch, g.epoch_id, g.finished_at, g.median_ns, g.spread_ns, "
      "g.process_count, "
      "g.sample_count, g.verdict, g.ratio, g.ratio_low, g.ratio_high "
      "FROM benchmarks b JOIN history g ON g.benchmark_id = b.id JOIN runs r ON r.id = g.run_id "
      "JOIN commits c ON c.id = r.head_id "
      "WHERE b.repository_id = ?1 AND b.suite = ?2 AND b.name = ?3 AND g.run_id < ?4 "
      "AND (?5 = '' OR (r.branch = ?5 AND r.trust = 'trusted')) AND (?6 IS NULL OR g.epoch_id = ?6) ORDER BY g.run_id "
      "DESC "
      "LIMIT ?7",
      filter.repository, filter.suite, filter.benchmark, first_below(page), filter.branch, filter.epoch,
      row_limit(page));
  std::vector<HistoryPoint> points;
  while (row.step()) {
    points.push_back({.run = row.id<RunId>(0),
                      .commit = row.text(1),
                      .branch = row.text(2),
                      .suite = filter.suite,
                      .benchmark = filter.benchmark,
                      .epoch = row.maybe_id<EpochId>(3),
                      .finished_at = row.instant(4),
                      .median_ns = row.real(5),
                      .spread_ns = row.real(6),
                      .processes = static_cast<int>(row.integer(7)),
                      .samples = static_cast<int>(row.integer(8)),
                      .verdict = known(parse_verdict(row.text(9)), row.text(9)),
                      .ratio = row.maybe_real(10),
                      .ratio_low = row.maybe_real(11),
                      .ratio_high = row.maybe_real(12)});
  }
  return points;
}

std::vector<BenchmarkName> list_benchmarks(Connection& connection, RepositoryId repository, const Page& page) {
  Statement row = connection.query(
      "SELECT id, suite, name FROM benchmarks WHERE repository_id = ? AND id < ? ORDER BY id DESC "
      "LIMIT ?",
      repository, first_below(page), row_limit(page));
  std::vector<BenchmarkName> names;
  while (row.step()) names.push_back({.id = row.integer(0), .suite = row.text(1), .benchmark = row.text(2)});
  return names;
}

}  // namespace kernelgate::db
