// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/measured.hpp"

#include <string_view>
#include <utility>

namespace kernelgate::db {
namespace {

constexpr std::string_view kTimed =
    "SELECT b.suite, b.name, r.epoch_id, r.id, s.median_ns FROM commits c JOIN runs r ON r.";
constexpr std::string_view kUndisturbed =
    " = c.id JOIN processes p ON p.run_id = r.id JOIN series s ON s.process_id = p.id JOIN benchmarks b ON b.id = "
    "s.benchmark_id WHERE c.repository_id = ?1 AND c.hash = ?2 AND r.repository_id = ?1 AND r.state = 'done' AND "
    "r.epoch_id IS NOT NULL AND p.superseded = 0 AND p.disturbed = 0 AND s.error = '' AND s.median_ns > 0 AND "
    "p.side = ";

}  // namespace

std::optional<std::string> baseline_commit(Connection& connection, RepositoryId repository, const std::string& name) {
  Statement row = connection.query(
      "SELECT c.hash FROM baselines l JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id WHERE "
      "l.repository_id = ? AND l.name = ? AND l.replaced_at IS NULL ORDER BY l.id DESC LIMIT 1",
      repository, name);
  if (!row.step()) return std::nullopt;
  return row.text(0);
}

std::vector<std::string> commits_like(Connection& connection, RepositoryId repository, const std::string& prefix) {
  Statement row =
      connection.query("SELECT hash FROM commits WHERE repository_id = ? AND substr(hash, 1, ?) = ? LIMIT 2",
                       repository, prefix.size(), prefix);
  std::vector<std::string> out;
  while (row.step()) out.push_back(row.text(0));
  return out;
}

std::vector<TimedProcess> timed_processes(Connection& connection, RepositoryId repository, const std::string& commit) {
  std::vector<TimedProcess> out;
  for (const auto& [column, side] : {std::pair("head_id", "'head'"), std::pair("base_id", "'base'")}) {
    std::string sql(kTimed);
    sql.append(column).append(kUndisturbed).append(side);
    Statement row = connection.query(sql, repository, commit);
    while (row.step())
      out.push_back({.suite = row.text(0),
                     .benchmark = row.text(1),
                     .epoch = row.integer(2),
                     .run = row.integer(3),
                     .median_ns = row.real(4)});
  }
  return out;
}

std::vector<PairedBenchmark> paired_benchmarks(Connection& connection, RepositoryId repository, const std::string& head,
                                               const std::string& base) {
  Statement row = connection.query(
      "SELECT n.suite, n.name, r.epoch_id, r.id, c.pairs, c.ratio, c.ratio_low, c.ratio_high, c.base_median_ns, "
      "c.head_median_ns FROM runs r JOIN commits h ON h.id = r.head_id JOIN commits b ON b.id = r.base_id "
      "JOIN comparisons c ON c.run_id = r.id JOIN benchmarks n ON n.id = c.benchmark_id WHERE r.repository_id = ? "
      "AND h.hash = ? AND b.hash = ? AND r.state = 'done' AND c.ratio IS NOT NULL AND c.against = 'pairs' ORDER BY "
      "r.id",
      repository, head, base);
  std::vector<PairedBenchmark> out;
  while (row.step())
    out.push_back({.suite = row.text(0),
                   .benchmark = row.text(1),
                   .epoch = row.maybe_integer(2).value_or(0),
                   .run = row.integer(3),
                   .pairs = static_cast<int>(row.integer(4)),
                   .ratio = row.maybe_real(5),
                   .ratio_low = row.maybe_real(6),
                   .ratio_high = row.maybe_real(7),
                   .base_median_ns = row.maybe_real(8),
                   .head_median_ns = row.maybe_real(9)});
  return out;
}

}  // namespace kernelgate::db
