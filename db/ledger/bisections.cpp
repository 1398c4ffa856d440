// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/bisections.hpp"

#include <cmath>
#include <sstream>

#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

using bisect::Ending, bisect::ReadingKind;

std::string joined(const std::vector<std::string>& commits) {
  std::string out;
  for (const std::string& commit : commits) out += commit + "\n";
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> out;
  for (std::string commit; std::getline(lines, commit);) out.push_back(commit);
  return out;
}

constexpr std::string_view kSelectRunning =
    "SELECT id, repository_id, suite, benchmark, aim, commits FROM bisections WHERE state = 'running' AND ";

RunningBisection read_running(const Statement& row) {
  const auto aim = parse_word<bisect::Aim>(row.text(4));
  if (!aim) throw_corrupt("bisection " + std::to_string(row.integer(0)) + " has an unknown aim");
  return {.id = row.id<BisectionId>(0),
          .repository = row.id<RepositoryId>(1),
          .target = {.aim = *aim, .suite = row.text(2), .benchmark = row.text(3)},
          .commits = lines_of(row.text(5))};
}

bisect::ReadingKind kind_of(const std::string& text) {
  using enum bisect::ReadingKind;
  for (const auto kind : {timed, same, failing, unusable})
    if (to_string(kind) == text) return kind;
  return trouble;
}

constexpr std::string_view kSelectBisections =
    "SELECT b.id, r.name, b.suite, b.benchmark, b.aim, b.state, b.ending, b.text, b.commits, b.low, b.high, b.effect, "
    "b.actor, b.created_at, b.finished_at FROM bisections b JOIN repositories r ON r.id = b.repository_id ";

struct Row {
  wire::Bisection shown;
  std::vector<std::string> commits;
};

Row read(const Statement& row) {
  Row out;
  wire::Bisection& shown = out.shown;
  shown.id = row.integer(0);
  shown.repository = row.text(1);
  shown.suite = row.text(2);
  shown.benchmark = row.text(3);
  shown.until = known(parse_word<bisect::Aim>(row.text(4)), row.text(4));
  shown.state = known(parse_word<wire::BisectionState>(row.text(5)), row.text(5));
  if (const auto text = row.text(6); !text.empty()) shown.ending = known(parse_word<Ending>(text), text);
  shown.text = row.text(7);
  out.commits = lines_of(row.text(8));
  shown.commits = static_cast<int>(out.commits.size());
  shown.good = out.commits.front();
  shown.bad = out.commits.back();
  const auto low = static_cast<std::size_t>(row.integer(9)), high = static_cast<std::size_t>(row.integer(10));
  if (shown.ending == Ending::culprit || shown.ending == Ending::unconfirmed) shown.culprit = out.commits.at(high);
  if (shown.ending == Ending::range)
    for (std::size_t i = low + 1; i <= high; ++i) shown.suspects.push_back(out.commits.at(i));
  if (const auto effect = row.maybe_real(11)) shown.ratio = std::exp(*effect);
  shown.actor = row.text(12);
  shown.created_at = row.instant(13);
  shown.finished_at = row.maybe_instant(14);
  return out;
}

void read_steps(Connection& connection, Row& row) {
  Statement step = connection.query(
      "SELECT number, head, base, confirming, run_id, reading, mean, why FROM bisection_steps WHERE bisection_id = ? "
      "ORDER BY number",
      row.shown.id);
  while (step.step()) {
    wire::BisectionStep one;
    one.number = static_cast<int>(step.integer(0));
    one.head = row.commits.at(static_cast<std::size_t>(step.integer(1)));
    one.base = row.commits.at(static_cast<std::size_t>(step.integer(2)));
    one.confirming = step.boolean(3);
    one.run = step.integer(4);
    if (const auto text = step.text(5); !text.empty()) one.reading = known(parse_word<ReadingKind>(text), text);
    if (one.reading == ReadingKind::timed) one.ratio = std::exp(step.real(6));
    one.why = step.text(7);
    const bool compared = one.reading == ReadingKind::same || one.reading == ReadingKind::failing;
    if (one.ratio || compared) ++row.shown.comparisons;
    row.shown.steps.push_back(std::move(one));
  }
}

std::string subject_of(BisectionId id) { return "bisection " + std::to_string(id.value); }

}  // namespace

BisectionId add_bisection(Connection& connection, const NewBisection& wanted, Instant now) {
  connection.run(
      "INSERT INTO bisections (repository_id, suite, benchmark, aim, commits, actor, state, high, created_at) VALUES "
      "(?, ?, ?, ?, ?, ?, 'running', ?, ?)",
      wanted.repository, wanted.target.suite, wanted.target.benchmark, to_string(wanted.target.aim),
      joined(wanted.commits), wanted.actor, wanted.commits.size() - 1, now);
  return BisectionId{connection.last_insert_id()};
}

std::optional<RunningBisection> running_bisection(Connection& connection, BisectionId id) {
  Statement row = connection.query(std::string(kSelectRunning) + "id = ?", id);
  if (!row.step()) return std::nullopt;
  return read_running(row);
}

std::vector<RunningBisection> running_bisections(Connection& connection, RepositoryId repository) {
  Statement row = connection.query(std::string(kSelectRunning) + "repository_id = ?", repository);
  std::vector<RunningBisection> out;
  while (row.step()) out.push_back(read_running(row));
  return out;
}

std::vector<bisect::Observation> observations(Connection& connection, BisectionId id) {
  Statement row = connection.query(
      "SELECT head, base, confirming, reading, mean, half_width, slower, settled, why FROM bisection_steps WHERE "
      "bisection_id = ? AND reading <> '' ORDER BY number",
      id);
  std::vector<bisect::Observation> out;
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

void put_bisection(Connection& connection, BisectionId id, const bisect::Next& next, const std::string& text) {
  connection.run("UPDATE bisections SET text = ?, low = ?, high = ?, effect = ? WHERE id = ?", text, next.low,
                 next.high, next.effect, id);
}

void end_bisection(Connection& connection, BisectionId id, const bisect::Next& next, const std::string& text,
                   Instant now) {
  put_bisection(connection, id, next, text);
  connection.run("UPDATE bisections SET state = 'done', ending = ?, finished_at = ? WHERE id = ?",
                 bisect::to_string(*next.end), now, id);
}

void mark_cancelled(Connection& connection, BisectionId id, const std::string& text, Instant now) {
  connection.run("UPDATE bisections SET state = 'cancelled', text = ?, finished_at = ? WHERE id = ?", text, now, id);
}

void add_step(Connection& connection, const StepRow& step) {
  connection.run(
      "INSERT INTO bisection_steps (bisection_id, number, run_id, head, base, confirming) VALUES (?, ?, ?, ?, ?, ?)",
      step.bisection, step.number, step.run, step.step.head, step.step.base, step.step.confirming);
}

std::optional<StepRow> waiting_step(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT s.bisection_id, s.number, s.head, s.base, s.confirming FROM bisection_steps s JOIN bisections b ON b.id "
      "= s.bisection_id WHERE s.run_id = ? AND s.reading = '' AND b.state = 'running'",
      run);
  if (!row.step()) return std::nullopt;
  return StepRow{.bisection = row.id<BisectionId>(0),
                 .number = static_cast<int>(row.integer(1)),
                 .run = run,
                 .step = {.head = static_cast<int>(row.integer(2)),
                          .base = static_cast<int>(row.integer(3)),
                          .confirming = row.boolean(4)}};
}

void put_reading(Connection& connection, const StepRow& step, const bisect::Reading& reading) {
  connection.run(
      "UPDATE bisection_steps SET reading = ?, mean = ?, half_width = ?, slower = ?, settled = ?, why = ? WHERE "
      "bisection_id = ? AND number = ?",
      to_string(reading.kind), reading.mean, reading.half_width, reading.slower, reading.settled, reading.why,
      step.bisection, step.number);
}

std::optional<RunId> run_under_way(Connection& connection, BisectionId id) {
  Statement row = connection.query(
      "SELECT run_id FROM bisection_steps WHERE bisection_id = ? AND reading = '' ORDER BY number DESC LIMIT 1", id);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

Result<wire::Bisection> get_bisection(Connection& connection, BisectionId id) {
  std::optional<Row> found;
  {
    Statement row = connection.query(std::string(kSelectBisections) + "WHERE b.id = ?", id);
    if (row.step()) found = read(row);
  }
  if (!found) return fail(Errc::not_found, "no " + subject_of(id), "id");
  read_steps(connection, *found);
  return std::move(found->shown);
}

std::vector<wire::Bisection> list_bisections(Connection& connection, RepositoryId repository, const Page& page) {
  std::vector<Row> rows;
  {
    Statement row = connection.query(
        std::string(kSelectBisections) + "WHERE b.repository_id = ? AND b.id < ? ORDER BY b.id DESC LIMIT ?",
        repository, first_below(page), row_limit(page));
    while (row.step()) rows.push_back(read(row));
  }
  std::vector<wire::Bisection> out;
  for (Row& row : rows) {
    read_steps(connection, row);
    row.shown.steps.clear();
    out.push_back(std::move(row.shown));
  }
  return out;
}

std::vector<std::size_t> never_measured(Connection& connection, RepositoryId repository,
                                        const std::vector<std::string>& line) {
  std::vector<std::size_t> out;
  for (std::size_t i = line.size(); i-- > 1;) {
    Statement row = connection.query(
        "SELECT 1 FROM commits c JOIN runs r ON r.head_id = c.id WHERE c.repository_id = ? AND c.hash = ? AND "
        "r.source NOT IN ('remeasure', 'import') AND (r.state NOT IN ('done', 'aborted', 'cancelled') OR "
        "(r.state = 'done' AND r.conclusion <> 'infrastructure')) LIMIT 1",
        repository, line[i]);
    if (!row.step()) out.push_back(i);
  }
  return out;
}

std::vector<std::string> suites_of(Connection& connection, RepositoryId repository, const std::string& benchmark,
                                   const std::string& suite) {
  Statement row = connection.query(
      "SELECT suite FROM benchmarks WHERE repository_id = ?1 AND name = ?2 AND (?3 = '' OR suite = ?3) ORDER BY suite",
      repository, benchmark, suite);
  std::vector<std::string> out;
  while (row.step()) out.push_back(row.text(0));
  return out;
}

}  // namespace kernelgate::db
