// SPDX-License-Identifier: Apache-2.0
// Which attempts are like another one: by a failure's fingerprint, by the change, by the machine code.
#include <cmath>
#include <set>

#include "db/ledger/attempt_parts.hpp"

#include "core/units/limits.hpp"
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

struct Own {
  std::string kind, branch, commit, suite, patch_id;
};

std::optional<Own> read_own(Connection& connection, AttemptId id) {
  Statement row = connection.query("SELECT kind, branch, commit_hash, suite, patch_id FROM attempts WHERE id = ?", id);
  if (!row.step()) return std::nullopt;
  return Own{row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

// The same branch, the same change and the points of one sweep are expected to fail alike.
bool is_related(const Own& own, const Statement& row) {
  if (!own.patch_id.empty() && own.patch_id == row.text(9)) return true;
  if (own.kind == "point" || row.text(1) == "point")
    return own.kind == row.text(1) && own.commit == row.text(3) && own.suite == row.text(4);
  return own.branch == row.text(2);
}

std::string name_of(const Statement& row) {
  if (row.text(1) == "point") return row.text(5);
  return row.text(2).empty() ? row.text(3).substr(0, 10) : row.text(2);
}

std::optional<double> furthest(std::optional<double> best, std::optional<double> worst) {
  if (!best || !worst) return best ? best : worst;
  return std::fabs(std::log(*best)) > std::fabs(std::log(*worst)) ? best : worst;
}

wire::AlikeAttempt read_alike(const Statement& row, wire::Likeness how) {
  return {.attempt = row.integer(0),
          .how = how,
          .name = name_of(row),
          .outcome = known(parse_word<AttemptOutcome>(row.text(6)), row.text(6)),
          .ratio = furthest(row.maybe_real(7), row.maybe_real(8)),
          .failure = row.is_null(10) ? std::string() : failure_text(row.text(10))};
}

void add_failing(Connection& connection, AttemptId id, const Own& own, std::vector<wire::AlikeAttempt>& out) {
  Statement row = connection.query(
      std::string(kColumns) +
          "FROM attempt_failures mine JOIN attempt_failures f ON f.fingerprint = mine.fingerprint AND f.attempt_id <> "
          "?1 JOIN attempts a ON a.id = f.attempt_id" +
          std::string(kSameAddress) + "WHERE mine.attempt_id = ?1 ORDER BY a.id, substr(f.fingerprint, 10) LIMIT ?2",
      id, limits::kAlikeRowsMax);
  // Of many shared failures the first by name speaks for all, the same on each attempt.
  std::set<std::int64_t> seen;
  while (row.step())
    if (!is_related(own, row) && seen.insert(row.integer(0)).second)
      out.push_back(read_alike(row, wire::Likeness::failure));
}

// Newest first: the last time is what people remember.
void add_earlier(Connection& connection, AttemptId id, const char* column, wire::Likeness how,
                 std::set<std::int64_t>& seen, std::vector<wire::AlikeAttempt>& out) {
  const std::string mine = std::string("own.") + column, theirs = std::string("a.") + column;
  std::string sql(kColumns);
  sql += "FROM attempts a LEFT JOIN attempt_failures f ON 1 = 0";
  sql += kSameAddress;
  sql += "WHERE " + theirs + " <> '' AND " + theirs + " = " + mine + " AND a.id < ?1 ORDER BY a.id DESC LIMIT ?2";
  Statement row = connection.query(sql, id, limits::kAlikeRowsMax);
  while (row.step())
    if (seen.insert(row.integer(0)).second) out.push_back(read_alike(row, how));
}

}  // namespace

std::string failure_text(const std::string& fingerprint) {
  const auto space = fingerprint.find(' ');
  return space == std::string::npos ? fingerprint : fingerprint.substr(space + 1);
}

std::vector<wire::AlikeAttempt> alike_attempts(Connection& connection, AttemptId id) {
  std::vector<wire::AlikeAttempt> out;
  const auto own = read_own(connection, id);
  if (!own) return out;
  std::set<std::int64_t> seen;
  add_earlier(connection, id, "patch_id", wire::Likeness::patch, seen, out);
  add_earlier(connection, id, "code_sha256", wire::Likeness::code, seen, out);
  add_failing(connection, id, *own, out);
  return out;
}

}  // namespace kernelgate::db
