// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/attempts.hpp"

#include <algorithm>

#include "core/ledger/tuning.hpp"
#include "db/ledger/attempt_rows.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectAttempts =
    "SELECT a.id, p.name, a.kind, a.branch, a.commit_hash, a.subject, a.suite, a.point, a.hypothesis, a.lesson, "
    "a.outcome, a.detail, b.suite, b.name, a.best_ratio, a.best_low, a.best_high, w.suite, w.name, a.worst_ratio, "
    "a.worst_low, a.worst_high, a.timed, a.improved, a.regressed, a.error_factor, a.created_at, a.tried_at "
    "FROM attempts a JOIN repositories p ON p.id = a.repository_id LEFT JOIN benchmarks b ON b.id = "
    "a.best_benchmark_id LEFT JOIN benchmarks w ON w.id = a.worst_benchmark_id ";

std::optional<wire::AttemptRatio> read_ratio(const Statement& row, int first) {
  if (row.is_null(first + 2)) return std::nullopt;
  return wire::AttemptRatio{.suite = row.text(first),
                            .benchmark = row.text(first + 1),
                            .ratio = row.real(first + 2),
                            .low = row.maybe_real(first + 3),
                            .high = row.maybe_real(first + 4)};
}

wire::Attempt read_attempt(const Statement& row) {
  wire::Attempt out;
  out.id = row.integer(0);
  out.repository = row.text(1);
  out.kind = known(parse_word<wire::AttemptKind>(row.text(2)), row.text(2));
  out.branch = row.text(3);
  out.commit = row.text(4);
  out.subject = row.text(5);
  out.suite = row.text(6);
  out.point = row.text(7);
  out.hypothesis = row.text(8);
  out.lesson = row.text(9);
  out.outcome = known(parse_word<AttemptOutcome>(row.text(10)), row.text(10));
  out.failed = is_failure(out.outcome);
  out.detail = row.text(11);
  out.best = read_ratio(row, 12);
  out.worst = read_ratio(row, 17);
  out.shown = ledger::shown_ratio(out);
  out.timed = static_cast<int>(row.integer(22));
  out.improved = static_cast<int>(row.integer(23));
  out.regressed = static_cast<int>(row.integer(24));
  out.error_factor = row.maybe_real(25);
  out.created_at = row.instant(26);
  out.tried_at = row.maybe_instant(27);
  return out;
}

void add_runs(Connection& connection, wire::Attempt& out) {
  Statement row = connection.query(
      "SELECT r.id, r.gpu_s_held, r.gpu_s_used, r.wall_s, t.price_per_hour FROM attempt_runs t JOIN runs r ON r.id = "
      "t.run_id WHERE t.attempt_id = ? ORDER BY r.id DESC",
      AttemptId{out.id});
  while (row.step()) {
    const double held = row.real(1), used = row.real(2);
    out.runs.push_back(row.integer(0));
    out.cost.build_s += std::max(0.0, row.real(3) - held);
    out.cost.check_s += std::max(0.0, held - used);
    out.cost.measure_s += used;
    if (const auto price = row.maybe_real(4)) out.cost.money = out.cost.money.value_or(0) + held / 3600 * *price;
  }
}

void add_failures(Connection& connection, wire::Attempt& out) {
  Statement row = connection.query("SELECT fingerprint FROM attempt_failures WHERE attempt_id = ? ORDER BY fingerprint",
                                   AttemptId{out.id});
  while (row.step()) out.failures.push_back(failure_text(row.text(0)));
}

void add_parts(Connection& connection, wire::Attempt& out) {
  add_runs(connection, out);
  add_failures(connection, out);
}

// "50%_" must not match everything.
std::string like_pattern(const std::string& text) {
  std::string out = "%";
  for (const char c : text) out += c == '%' || c == '_' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out + "%";
}

std::string outcome_list(const std::vector<ledger::Outcome>& outcomes) {
  std::string out;
  for (const ledger::Outcome outcome : outcomes)
    out += (out.empty() ? "'" : ", '") + std::string(ledger::to_string(outcome)) + "'";
  return out;
}

std::string filter_sql(const AttemptFilter& filter) {
  std::string sql(kSelectAttempts);
  sql += "WHERE a.id < ?";
  if (filter.repository) sql += " AND a.repository_id = ?";
  if (!filter.outcomes.empty()) sql += " AND a.outcome IN (" + outcome_list(filter.outcomes) + ")";
  if (!filter.branch.empty()) sql += " AND a.branch = ?";
  if (!filter.branch_prefix.empty()) sql += " AND substr(a.branch, 1, length(?)) = ?";
  if (filter.since) sql += " AND coalesce(a.tried_at, a.created_at) >= ?";
  if (!filter.suite.empty() || !filter.benchmark.empty())
    sql +=
        " AND ((a.suite <> '' AND a.suite = ? AND ? = '') OR EXISTS (SELECT 1 FROM attempt_runs t JOIN runs r ON r.id "
        "= t.run_id JOIN comparisons c ON c.run_id = coalesce(r.reused_from, r.id) JOIN benchmarks n ON n.id = "
        "c.benchmark_id WHERE t.attempt_id = a.id AND (? = '' OR n.suite = ?) AND (? = '' OR n.name = ?)))";
  if (!filter.text.empty())
    sql +=
        " AND lower(a.branch || ' ' || a.subject || ' ' || a.point || ' ' || a.hypothesis || ' ' || a.lesson || ' ' || "
        "a.detail) LIKE lower(?) ESCAPE '\\'";
  return sql + " ORDER BY a.id DESC LIMIT ?";
}

}  // namespace

std::vector<wire::Attempt> list_attempts(Connection& connection, const AttemptFilter& filter, const Page& page) {
  std::vector<wire::Attempt> out;
  {
    Statement row = connection.query(filter_sql(filter), first_below(page));
    int index = 1;
    if (filter.repository) row.bind(++index, *filter.repository);
    if (!filter.branch.empty()) row.bind(++index, filter.branch);
    if (!filter.branch_prefix.empty())
      for (int twice = 0; twice < 2; ++twice) row.bind(++index, filter.branch_prefix);
    if (filter.since) row.bind(++index, *filter.since);
    if (!filter.suite.empty() || !filter.benchmark.empty())
      for (const std::string* text :
           {&filter.suite, &filter.benchmark, &filter.suite, &filter.suite, &filter.benchmark, &filter.benchmark})
        row.bind(++index, *text);
    if (!filter.text.empty()) row.bind(++index, like_pattern(filter.text));
    row.bind(++index, row_limit(page));
    while (row.step()) out.push_back(read_attempt(row));
  }
  for (wire::Attempt& attempt : out) add_parts(connection, attempt);
  return out;
}

Result<wire::Attempt> get_attempt(Connection& connection, AttemptId id) {
  Statement row = connection.query(std::string(kSelectAttempts) + "WHERE a.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no attempt " + std::to_string(id.value), "attempt");
  wire::Attempt out = read_attempt(row);
  add_parts(connection, out);
  return out;
}

std::optional<AttemptId> attempt_of_run(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT attempt_id FROM attempt_runs WHERE run_id = ?", run);
  if (!row.step()) return std::nullopt;
  return row.id<AttemptId>(0);
}

}  // namespace kernelgate::db
