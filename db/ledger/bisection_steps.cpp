// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/bisection_steps.hpp"

#include <climits>
#include <cstdlib>
#include <sstream>

#include "core/bisect/search.hpp"
#include "core/units/digest.hpp"
#include "db/accounts/audit.hpp"
#include "db/ledger/bisections.hpp"
#include "db/runs/comparisons.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

using bisect::Observation;

constexpr std::size_t kSeedDigits = 15;  // hexadecimal: stays below the sign of the store's integers

struct Running {
  RepositoryId repository;
  bisect::Target target;
  std::vector<std::string> commits;
};

std::optional<Running> running(Connection& connection, std::int64_t id) {
  Statement row = connection.query(
      "SELECT repository_id, suite, benchmark, aim, commits FROM bisections WHERE id = ? AND state = 'running'", id);
  if (!row.step()) return std::nullopt;
  Running out;
  out.repository = row.id<RepositoryId>(0);
  const auto aim = parse_word<bisect::Aim>(row.text(3));
  if (!aim) throw_corrupt("bisection " + std::to_string(id) + " has an unknown aim");
  out.target = {.aim = *aim, .suite = row.text(1), .benchmark = row.text(2)};
  std::istringstream lines(row.text(4));
  for (std::string commit; std::getline(lines, commit);) out.commits.push_back(commit);
  return out;
}

bisect::ReadingKind kind_of(const std::string& text) {
  using enum bisect::ReadingKind;
  for (const auto kind : {timed, same, failing, unusable})
    if (to_string(kind) == text) return kind;
  return trouble;
}

std::vector<Observation> observations(Connection& connection, std::int64_t id) {
  Statement row = connection.query(
      "SELECT head, base, confirming, reading, mean, half_width, slower, settled, why FROM bisection_steps WHERE "
      "bisection_id = ? AND reading <> '' ORDER BY number",
      id);
  std::vector<Observation> out;
  while (row.step())
    out.push_back({.step = {.head = static_cast<int>(row.integer(0)),
                            .base = static_cast<int>(row.integer(1)),
                            .confirming = row.boolean(2)},
                   .reading = {.kind = kind_of(row.text(3)),
                               .mean = row.real(4),
                               .half_width = row.real(5),
                               .slower = row.boolean(6),
                               .settled = row.boolean(7),
                               .why = row.text(8)}});
  return out;
}

bisect::Reading reading_of(Connection& connection, const Running& bisection, const Run& run, int base) {
  bisect::RunEnd end{.conclusion = run.conclusion,
                     .reason = run.reason.empty() ? run.summary : run.reason,
                     .base = run.base_commit,
                     .wanted = bisection.commits[static_cast<std::size_t>(base)],
                     .comparisons = list_comparisons(connection, run.reused_from.value_or(run.id))};
  return bisect::read_run(bisection.target, end);
}

void end_bisection(Connection& connection, std::int64_t id, const bisect::Next& next, const std::string& text,
                   Instant now) {
  connection.run(
      "UPDATE bisections SET state = 'done', ending = ?, text = ?, low = ?, high = ?, effect = ?, finished_at = ? "
      "WHERE id = ?",
      bisect::to_string(*next.end), text, next.low, next.high, next.effect, now, id);
  log_action(
      connection,
      {.actor = "server", .action = "bisection.end", .subject = "bisection " + std::to_string(id), .detail = text},
      now);
}

}  // namespace

NewRun search_run(RepositoryId repository, const std::string& commit, const std::string& base) {
  NewRun run{.repository = repository, .commit = commit};
  run.base = {wire::BaseKind::explicit_commit, base};
  run.seed = std::strtoull(random_hex(kSeedDigits).substr(0, kSeedDigits).c_str(), nullptr, 16);
  return run;
}

Status advance_bisection(Connection& connection, std::int64_t id, int queued_max, Instant now) {
  const auto bisection = running(connection, id);
  if (!bisection) return {};
  const std::vector<Observation> seen = observations(connection, id);
  const bisect::Next next = bisect::next_step(static_cast<int>(bisection->commits.size()), seen);
  std::vector<std::string> names;
  for (const std::string& commit : bisection->commits) names.push_back(commit.substr(0, 10));
  const std::string text = bisect::describe(next, names);
  if (!next.step) {
    end_bisection(connection, id, next, text, now);
    return {};
  }
  const auto at = [&](int index) { return bisection->commits[static_cast<std::size_t>(index)]; };
  const int number = static_cast<int>(seen.size()) + 1;
  NewRun run = search_run(bisection->repository, at(next.step->head), at(next.step->base));
  run.source = "bisect";
  run.idempotency_key = "bisect:" + std::to_string(id) + ":" + std::to_string(number);
  run.queued_max = queued_max;
  // What was measured before may answer for a candidate. The ends and the culprit are judged by fresh processes: an
  // alarm chosen for its size is no proof of itself.
  const bool is_candidate = !next.step->confirming && next.step->head + 1 < static_cast<int>(bisection->commits.size());
  bool repeated = false;
  for (const Observation& one : seen) repeated = repeated || one.step == *next.step;
  run.force = repeated || !is_candidate;
  const auto added = add_run(connection, run, now);
  if (!added) return pass_on(added);
  connection.run(
      "INSERT INTO bisection_steps (bisection_id, number, run_id, head, base, confirming) VALUES (?, ?, ?, ?, ?, ?)",
      id, number, added->id, next.step->head, next.step->base, next.step->confirming);
  connection.run("UPDATE bisections SET text = ?, low = ?, high = ?, effect = ? WHERE id = ?", text, next.low,
                 next.high, next.effect, id);
  return {};
}

void bisection_run_ended(Connection& connection, RunId id, Instant now) {
  std::int64_t bisection = 0, number = 0;
  int base = 0;
  {
    Statement row = connection.query(
        "SELECT s.bisection_id, s.number, s.base FROM bisection_steps s JOIN bisections b ON b.id = s.bisection_id "
        "WHERE s.run_id = ? AND s.reading = '' AND b.state = 'running'",
        id);
    if (!row.step()) return;
    bisection = row.integer(0);
    number = row.integer(1);
    base = static_cast<int>(row.integer(2));
  }
  const auto run = get_run(connection, id);
  const auto known = running(connection, bisection);
  if (!run || !known) return;
  const bisect::Reading reading = reading_of(connection, *known, *run, base);
  connection.run(
      "UPDATE bisection_steps SET reading = ?, mean = ?, half_width = ?, slower = ?, settled = ?, why = ? WHERE "
      "bisection_id = ? AND number = ?",
      to_string(reading.kind), reading.mean, reading.half_width, reading.slower, reading.settled, reading.why,
      bisection, number);
  // It holds its place already: a full queue does not stop what is under way.
  (void)advance_bisection(connection, bisection, INT_MAX, now);
}

}  // namespace kernelgate::db
