// SPDX-License-Identifier: Apache-2.0
#include "db/runs/checks.hpp"

#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {

void write_checks(Connection& connection, RunId run, std::span<const CheckCase> checks) {
  std::int64_t position = 0;
  for (const CheckCase& each : checks) {
    connection.run(
        "INSERT INTO checks (run_id, position, suite, side, name, shape, passed, bound, "
        "max_abs_err, rel_err, "
        "first_bad, seed, error_class, error_value, fingerprint, text) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run, position++, each.suite, to_string(each.side), each.name, each.shape, each.passed, each.bound,
        each.max_abs_err, each.rel_err, each.first_bad, each.seed, each.error_class, each.error_value, each.fingerprint,
        each.text);
  }
}

std::vector<CheckCase> list_checks(Connection& connection, RunId run, int from, int limit) {
  Statement row = connection.query(
      "SELECT suite, side, name, shape, passed, bound, max_abs_err, rel_err, first_bad, seed, "
      "error_class, "
      "error_value, fingerprint, text FROM checks WHERE run_id = ? AND position >= ? ORDER BY "
      "position LIMIT ?",
      run, from, limit);
  std::vector<CheckCase> checks;
  while (row.step()) {
    checks.push_back({.suite = row.text(0),
                      .side = known(parse_side(row.text(1)), row.text(1)),
                      .name = row.text(2),
                      .shape = row.text(3),
                      .passed = row.boolean(4),
                      .bound = real_or_nan(row, 5),
                      .max_abs_err = real_or_nan(row, 6),
                      .rel_err = real_or_nan(row, 7),
                      .first_bad = row.integer(8),
                      .seed = row.text(9),
                      .error_class = row.text(10),
                      .error_value = real_or_nan(row, 11),
                      .fingerprint = row.text(12),
                      .text = row.text(13)});
  }
  return checks;
}

std::vector<RunId> runs_with_fingerprint(Connection& connection, RepositoryId repository, std::string_view fingerprint,
                                         const Page& page) {
  Statement row = connection.query(
      "SELECT DISTINCT c.run_id FROM checks c JOIN runs r ON r.id = c.run_id "
      "WHERE c.fingerprint = ? AND c.fingerprint <> '' AND c.run_id < ? AND r.repository_id = ? "
      "ORDER BY c.run_id DESC LIMIT ?",
      fingerprint, first_below(page), repository, row_limit(page));
  std::vector<RunId> runs;
  while (row.step()) runs.push_back(row.id<RunId>(0));
  return runs;
}

}  // namespace kernelgate::db
