// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/attempt_rows.hpp"

#include <nlohmann/json.hpp>

#include "core/units/limits.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

std::optional<std::int64_t> row_of(Connection& connection, RepositoryId repository, const Comparison* one) {
  if (one == nullptr) return std::nullopt;
  return benchmark_row(connection, repository, one->suite, one->benchmark);
}

std::optional<double> figure(const Comparison* one, std::optional<double> Comparison::*member) {
  return one == nullptr ? std::nullopt : one->*member;
}

}  // namespace

std::optional<TriedRun> tried_run(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT r.repository_id, p.default_branch, r.branch, r.source, h.hash, h.tree, h.subject, r.reason, r.summary, "
      "r.state, r.conclusion, r.finished_at, coalesce(r.reused_from, r.id), coalesce(f.hypothesis, ''), "
      "coalesce(nullif(f.patch_id, ''), g.patch_id, ''), coalesce(f.suite, ''), coalesce(f.point, ''), "
      "coalesce(f.is_reference, 0), r.pull_request FROM runs r JOIN repositories p ON p.id = r.repository_id JOIN "
      "commits h ON h.id = r.head_id LEFT JOIN attempt_facts f ON f.run_id = r.id LEFT JOIN attempt_facts g ON "
      "g.run_id = r.reused_from WHERE r.id = ?",
      run);
  if (!row.step()) return std::nullopt;
  TriedRun out;
  out.run = run;
  out.judged = row.id<RunId>(12);
  out.repository = row.id<RepositoryId>(0);
  out.default_branch = row.text(1);
  out.branch = row.text(2);
  out.source = row.text(3);
  out.commit = row.text(4);
  out.tree = row.text(5);
  out.subject = row.text(6);
  out.reason = row.text(7);
  out.summary = row.text(8);
  out.state = known(parse_run_state(row.text(9)), row.text(9));
  if (!row.is_null(10)) out.conclusion = parse_conclusion(row.text(10));
  out.finished_at = row.maybe_instant(11);
  out.facts = {.hypothesis = row.text(13),
               .patch_id = row.text(14),
               .suite = row.text(15),
               .point = row.text(16),
               .is_reference = row.boolean(17)};
  out.of_pull_request = !row.is_null(18) && row.integer(18) > 0;
  return out;
}

std::optional<AttemptId> find_attempt(Connection& connection, RepositoryId repository, const std::string& key) {
  Statement row = connection.query("SELECT id FROM attempts WHERE repository_id = ? AND key = ?", repository, key);
  if (!row.step()) return std::nullopt;
  return row.id<AttemptId>(0);
}

AttemptId add_attempt(Connection& connection, const NewAttempt& one, Instant now) {
  connection.run(
      "INSERT INTO attempts (repository_id, kind, key, branch, commit_hash, subject, suite, point, hypothesis, lesson, "
      "outcome, detail, timed, improved, regressed, patch_id, code_sha256, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
      "?, '', 'not_tried', '', 0, 0, 0, '', '', ?)",
      one.repository, one.kind, one.key, one.branch, one.commit, one.subject, one.suite, one.point, one.hypothesis,
      now);
  return AttemptId{connection.last_insert_id()};
}

void put_attempt_facts(Connection& connection, RunId run, const AttemptFacts& facts) {
  connection.run(
      "INSERT INTO attempt_facts (run_id, hypothesis, patch_id, suite, point, is_reference) VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (run_id) DO UPDATE SET hypothesis = CASE WHEN excluded.hypothesis <> '' THEN excluded.hypothesis "
      "ELSE attempt_facts.hypothesis END, patch_id = CASE WHEN excluded.patch_id <> '' THEN excluded.patch_id ELSE "
      "attempt_facts.patch_id END, suite = CASE WHEN excluded.suite <> '' THEN excluded.suite ELSE attempt_facts.suite "
      "END, point = CASE WHEN excluded.point <> '' THEN excluded.point ELSE attempt_facts.point END",
      run, facts.hypothesis.substr(0, limits::kHypothesisMax), facts.patch_id, facts.suite, facts.point,
      facts.is_reference);
}

std::optional<AttemptId> find_idea(Connection& connection, RepositoryId repository, const std::string& branch) {
  Statement row = connection.query(
      "SELECT id FROM attempts WHERE repository_id = ? AND branch = ? AND kind = 'idea' ORDER BY id LIMIT 1",
      repository, branch);
  if (!row.step()) return std::nullopt;
  return row.id<AttemptId>(0);
}

void turn_idea(Connection& connection, AttemptId idea, const NewAttempt& one) {
  connection.run("UPDATE attempts SET kind = ?, key = ?, commit_hash = ?, subject = ? WHERE id = ?", one.kind, one.key,
                 one.commit, one.subject, idea);
}

ledger::Outcome outcome_of(Connection& connection, AttemptId id) {
  Statement row = connection.query("SELECT outcome FROM attempts WHERE id = ?", id);
  if (!row.step()) throw_corrupt("no attempt " + std::to_string(id.value));
  return known(ledger::parse_outcome(row.text(0)), row.text(0));
}

void add_attempt_run(Connection& connection, AttemptId id, const TriedRun& run) {
  connection.run("INSERT INTO attempt_runs (run_id, attempt_id, price_per_hour) VALUES (?, ?, ?)", run.run, id,
                 price_per_hour(connection, run.run));
  connection.run(
      "UPDATE attempts SET tried_at = ?, subject = CASE WHEN ?2 <> '' THEN ?2 ELSE subject END, hypothesis = CASE WHEN "
      "hypothesis = '' THEN ?3 ELSE hypothesis END WHERE id = ?4",
      run.finished_at, run.subject, run.facts.hypothesis, id);
}

void put_verdict(Connection& connection, AttemptId id, RepositoryId repository, const AttemptVerdict& verdict) {
  const Comparison *best = verdict.best, *worst = verdict.worst;
  connection.run(
      "UPDATE attempts SET outcome = ?, detail = ?, timed = ?, improved = ?, regressed = ?, error_factor = ?, patch_id "
      "= ?, code_sha256 = ? WHERE id = ?",
      ledger::to_string(verdict.outcome), verdict.detail, verdict.timed, verdict.improved, verdict.regressed,
      verdict.error_factor, verdict.patch_id, verdict.code_sha256, id);
  connection.run("UPDATE attempts SET best_benchmark_id = ?, best_ratio = ?, best_low = ?, best_high = ? WHERE id = ?",
                 row_of(connection, repository, best), figure(best, &Comparison::ratio),
                 figure(best, &Comparison::ratio_low), figure(best, &Comparison::ratio_high), id);
  connection.run(
      "UPDATE attempts SET worst_benchmark_id = ?, worst_ratio = ?, worst_low = ?, worst_high = ? WHERE id = ?",
      row_of(connection, repository, worst), figure(worst, &Comparison::ratio), figure(worst, &Comparison::ratio_low),
      figure(worst, &Comparison::ratio_high), id);
  connection.run("DELETE FROM attempt_failures WHERE attempt_id = ?", id);
  for (const std::string& fingerprint : verdict.fingerprints)
    connection.run("INSERT INTO attempt_failures (attempt_id, fingerprint) VALUES (?, ?)", id, fingerprint);
}

void put_words(Connection& connection, AttemptId id, const std::optional<std::string>& hypothesis,
               const std::optional<std::string>& lesson) {
  if (hypothesis) connection.run("UPDATE attempts SET hypothesis = ? WHERE id = ?", *hypothesis, id);
  if (lesson) connection.run("UPDATE attempts SET lesson = ? WHERE id = ?", *lesson, id);
}

std::optional<double> price_per_hour(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT device_state FROM processes WHERE run_id = ? AND superseded = 0 ORDER BY id DESC LIMIT 1", run);
  if (!row.step()) return std::nullopt;
  const auto state = nlohmann::json::parse(row.text(0), nullptr, false);
  if (!state.is_object()) return std::nullopt;
  const auto price = state.find("price_per_hour");
  if (price == state.end() || !price->is_number() || !(price->get<double>() > 0)) return std::nullopt;
  return price->get<double>();
}

}  // namespace kernelgate::db
