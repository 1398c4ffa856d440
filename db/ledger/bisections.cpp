// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/bisections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "db/accounts/audit.hpp"
#include "db/ledger/bisection_steps.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

using bisect::Ending, bisect::ReadingKind;

std::string joined(const std::vector<std::string>& commits) {
  std::string out;
  for (const std::string& commit : commits) out += commit + "\n";
  return out;
}

Status check_commits(const std::vector<std::string>& commits) {
  std::set<std::string> seen;
  if (commits.size() < 2) return fail(Errc::invalid, "a line has two commits or more", "/commits", "good and bad");
  if (commits.size() > static_cast<std::size_t>(limits::kBisectionCommitsMax))
    return fail(Errc::too_large, fmt::format("{} commits", commits.size()), "/commits",
                fmt::format("{} at most: name a later good commit", limits::kBisectionCommitsMax));
  if (commits.front() == commits.back())
    return fail(Errc::invalid, "good and bad are the same commit", "/commits", "name two commits");
  for (const std::string& commit : commits) {
    if (const auto hash = CommitHash::parse(commit); !hash)
      return fail(Errc::invalid, hash.error().what, "/commits", hash.error().fix);
    if (!seen.insert(commit).second)
      return fail(Errc::invalid, "commit " + commit.substr(0, 10) + " stands there twice", "/commits",
                  "give first parents, oldest first");
  }
  return {};
}

// Fills in the suite where the name of the benchmark says which.
Status check_target(Connection& connection, RepositoryId repository, bisect::Target& target) {
  if (target.benchmark.empty()) {
    if (target.aim == bisect::Aim::broken) return {};
    return fail(Errc::invalid, "which benchmark is not said", "/benchmark", "name one, or look for until = broken");
  }
  Statement row = connection.query(
      "SELECT suite FROM benchmarks WHERE repository_id = ?1 AND name = ?2 AND (?3 = '' OR suite = ?3) ORDER BY suite",
      repository, target.benchmark, target.suite);
  std::vector<std::string> suites;
  while (row.step()) suites.push_back(row.text(0));
  if (suites.empty())
    return fail(Errc::not_found, "no benchmark '" + target.benchmark + "' was ever measured here", "/benchmark",
                "GET /api/v1/benchmarks lists them");
  if (suites.size() > 1)
    return fail(Errc::invalid, fmt::format("{} suites have this benchmark", suites.size()), "/suite", "name one");
  target.suite = suites.front();
  return {};
}

Status check_room(Connection& connection, const NewBisection& wanted) {
  Statement row = connection.query(
      "SELECT id, suite, benchmark, aim, commits FROM bisections WHERE repository_id = ? AND state = 'running'",
      wanted.repository);
  int under_way = 0;
  while (row.step()) {
    ++under_way;
    if (row.text(1) == wanted.target.suite && row.text(2) == wanted.target.benchmark &&
        row.text(3) == to_string(wanted.target.aim) && row.text(4) == joined(wanted.commits))
      return fail(Errc::conflict, fmt::format("bisection {} looks for the same", row.integer(0)), "/commits",
                  "wait for it, or cancel it");
  }
  if (under_way >= limits::kBisectionsMax)
    return fail(Errc::too_many, fmt::format("{} bisections are under way", under_way), "/repository",
                "wait for one, or cancel one");
  return {};
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
  std::istringstream lines(row.text(8));
  for (std::string commit; std::getline(lines, commit);) out.commits.push_back(commit);
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

Result<BisectionId> start_bisection(Connection& connection, NewBisection wanted, Instant now) {
  if (const Status good = check_commits(wanted.commits); !good) return pass_on(good);
  if (const Status good = check_target(connection, wanted.repository, wanted.target); !good) return pass_on(good);
  if (const Status room = check_room(connection, wanted); !room) return pass_on(room);
  connection.run(
      "INSERT INTO bisections (repository_id, suite, benchmark, aim, commits, actor, state, high, created_at) VALUES "
      "(?, "
      "?, ?, ?, ?, ?, 'running', ?, ?)",
      wanted.repository, wanted.target.suite, wanted.target.benchmark, to_string(wanted.target.aim),
      joined(wanted.commits), wanted.actor, wanted.commits.size() - 1, now);
  const BisectionId id{connection.last_insert_id()};
  log_action(connection,
             {.actor = wanted.actor,
              .action = "bisection.start",
              .subject = subject_of(id),
              .detail = fmt::format("{} until {}, {} to {}", wanted.target.benchmark, to_string(wanted.target.aim),
                                    wanted.commits.front().substr(0, 10), wanted.commits.back().substr(0, 10))},
             now);
  if (const Status begun = advance_bisection(connection, id.value, wanted.queued_max, now); !begun)
    return pass_on(begun);
  return id;
}

std::optional<RunId> run_under_way(Connection& connection, BisectionId id) {
  Statement row = connection.query(
      "SELECT run_id FROM bisection_steps WHERE bisection_id = ? AND reading = '' ORDER BY number DESC LIMIT 1", id);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

Status cancel_bisection(Connection& connection, BisectionId id, const std::string& actor, Instant now) {
  const auto known = get_bisection(connection, id);
  if (!known) return pass_on(known);
  if (known->state != wire::BisectionState::running)
    return fail(Errc::conflict, subject_of(id) + " is " + std::string(to_string(known->state)), subject_of(id),
                "a finished one never changes");
  connection.run("UPDATE bisections SET state = 'cancelled', text = ?, finished_at = ? WHERE id = ?",
                 "cancelled by " + actor, now, id);
  log_action(connection, {.actor = actor, .action = "bisection.cancel", .subject = subject_of(id), .detail = {}}, now);
  const auto run = run_under_way(connection, id);
  if (!run) return {};
  return cancel_run(connection, *run, subject_of(id) + " was cancelled by " + actor, now);
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

Result<wire::BackfillReply> backfill(Connection& connection, const Backfill& wanted, Instant now) {
  if (const Status good = check_commits(wanted.commits); !good) return pass_on(good);
  const std::vector<std::size_t> missing = never_measured(connection, wanted.repository, wanted.commits);
  const std::size_t taken = std::min(missing.size(), static_cast<std::size_t>(wanted.limit));
  wire::BackfillReply reply;
  reply.known = static_cast<int>(wanted.commits.size() - 1 - missing.size());
  reply.left = static_cast<int>(missing.size() - taken);
  for (std::size_t i = 0; i < taken; ++i) {
    const std::string& commit = wanted.commits[missing[i]];
    const std::string& base = wanted.commits[missing[i] - 1];
    NewRun run = search_run(wanted.repository, commit, base);
    run.source = "backfill";
    run.idempotency_key = "backfill:" + commit + ":" + std::to_string(to_millis(now));
    run.queued_max = wanted.queued_max;
    const auto added = add_run(connection, run, now);
    if (!added) return pass_on(added);
    reply.runs.push_back({.commit = commit, .base = base, .run = added->id.value});
  }
  log_action(connection,
             {.actor = wanted.actor,
              .action = "backfill",
              .subject = wanted.commits.front().substr(0, 10) + " to " + wanted.commits.back().substr(0, 10),
              .detail = fmt::format("{} runs queued, {} left", reply.runs.size(), reply.left)},
             now);
  return reply;
}

}  // namespace kernelgate::db
