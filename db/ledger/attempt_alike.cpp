// SPDX-License-Identifier: Apache-2.0
#include "core/units/limits.hpp"
#include "db/ledger/attempt_rows.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kColumns =
    "SELECT a.id, a.kind, a.branch, a.commit_hash, a.suite, a.point, a.outcome, a.best_ratio, a.worst_ratio, "
    "a.patch_id, f.fingerprint ";
// Two names of one address in a store are one repository: `run` and `sweep` keep theirs apart.
constexpr std::string_view kSameAddress =
    " JOIN repositories p ON p.id = a.repository_id JOIN attempts own ON own.id = ?1 JOIN repositories q ON q.id = "
    "own.repository_id AND q.url = p.url ";

AlikeRow read_alike(const Statement& row) {
  return {.attempt = row.integer(0),
          .kind = row.text(1),
          .branch = row.text(2),
          .commit = row.text(3),
          .suite = row.text(4),
          .point = row.text(5),
          .outcome = known(parse_word<AttemptOutcome>(row.text(6)), row.text(6)),
          .best = row.maybe_real(7),
          .worst = row.maybe_real(8),
          .patch_id = row.text(9),
          .failure = row.is_null(10) ? std::string() : failure_text(row.text(10))};
}

std::vector<AlikeRow> rows_alike(Statement row) {
  std::vector<AlikeRow> out;
  while (row.step()) out.push_back(read_alike(row));
  return out;
}

}  // namespace

std::string failure_text(const std::string& fingerprint) {
  const auto space = fingerprint.find(' ');
  return space == std::string::npos ? fingerprint : fingerprint.substr(space + 1);
}

std::optional<AlikeRow> alike_row(Connection& connection, AttemptId id) {
  Statement row = connection.query(
      std::string(kColumns) + "FROM attempts a LEFT JOIN attempt_failures f ON 1 = 0 WHERE a.id = ?", id);
  if (!row.step()) return std::nullopt;
  return read_alike(row);
}

std::vector<AlikeRow> failing_alike(Connection& connection, AttemptId id) {
  return rows_alike(connection.query(
      std::string(kColumns) +
          "FROM attempt_failures mine JOIN attempt_failures f ON f.fingerprint = mine.fingerprint AND f.attempt_id <> "
          "?1 JOIN attempts a ON a.id = f.attempt_id" +
          std::string(kSameAddress) + "WHERE mine.attempt_id = ?1 ORDER BY a.id, substr(f.fingerprint, 10) LIMIT ?2",
      id, limits::kAlikeRowsMax));
}

std::vector<AlikeRow> earlier_alike(Connection& connection, AttemptId id, SameText same) {
  const std::string column = same == SameText::patch ? "patch_id" : "code_sha256";
  std::string sql(kColumns);
  sql += "FROM attempts a LEFT JOIN attempt_failures f ON 1 = 0";
  sql += kSameAddress;
  sql += "WHERE a." + column + " <> '' AND a." + column + " = own." + column;
  return rows_alike(connection.query(sql + " AND a.id < ?1 ORDER BY a.id DESC LIMIT ?2", id, limits::kAlikeRowsMax));
}

}  // namespace kernelgate::db
