// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/bisection_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <set>
#include <utility>

#include "core/units/git_hash.hpp"
#include "db/accounts/audit.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"
#include "service/runs/ends.hpp"
#include "service/runs/seed.hpp"

namespace kernelgate::service {
namespace {

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
Status check_target(db::Connection& connection, RepositoryId repository, bisect::Target& target) {
  if (target.benchmark.empty()) {
    if (target.aim == bisect::Aim::broken) return {};
    return fail(Errc::invalid, "which benchmark is not said", "/benchmark", "name one, or look for until = broken");
  }
  const auto suites = db::suites_of(connection, repository, target.benchmark, target.suite);
  if (suites.empty())
    return fail(Errc::not_found, "no benchmark '" + target.benchmark + "' was ever measured here", "/benchmark",
                "GET /api/v1/benchmarks lists them");
  if (suites.size() > 1)
    return fail(Errc::invalid, fmt::format("{} suites have this benchmark", suites.size()), "/suite", "name one");
  target.suite = suites.front();
  return {};
}

Status check_room(db::Connection& connection, const db::NewBisection& wanted) {
  const auto running = db::running_bisections(connection, wanted.repository);
  const auto same = std::find_if(running.begin(), running.end(), [&](const db::RunningBisection& one) {
    return one.target.suite == wanted.target.suite && one.target.benchmark == wanted.target.benchmark &&
           one.target.aim == wanted.target.aim && one.commits == wanted.commits;
  });
  if (same != running.end())
    return fail(Errc::conflict, fmt::format("bisection {} looks for the same", same->id.value), "/commits",
                "wait for it, or cancel it");
  if (running.size() >= static_cast<std::size_t>(limits::kBisectionsMax))
    return fail(Errc::too_many, fmt::format("{} bisections are under way", running.size()), "/repository",
                "wait for one, or cancel one");
  return {};
}

std::string subject_of(db::BisectionId id) { return "bisection " + std::to_string(id.value); }

// A run of source "bisect" or "backfill".
db::NewRun search_run(RepositoryId repository, const std::string& commit, const std::string& base) {
  db::NewRun run{.repository = repository, .commit = commit};
  run.base = {wire::BaseKind::explicit_commit, base};
  run.seed = random_seed();
  return run;
}

db::NewRun run_of(const db::RunningBisection& bisection, const bisect::Step& step,
                  const std::vector<bisect::Observation>& seen) {
  const auto at = [&](int index) { return bisection.commits[static_cast<std::size_t>(index)]; };
  db::NewRun run = search_run(bisection.repository, at(step.head), at(step.base));
  run.source = "bisect";
  run.idempotency_key = "bisect:" + std::to_string(bisection.id.value) + ":" + std::to_string(seen.size() + 1);
  // What was measured before may answer for a candidate. The ends and the culprit are judged by fresh processes: an
  // alarm chosen for its size is no proof of itself.
  const bool is_candidate = !step.confirming && step.head + 1 < static_cast<int>(bisection.commits.size());
  const bool repeated =
      std::any_of(seen.begin(), seen.end(), [&](const bisect::Observation& one) { return one.step == step; });
  run.force = repeated || !is_candidate;
  return run;
}

// Queues the next step, or ends the bisection. too_many: the first step found the queue full.
Status advance(db::Connection& connection, db::BisectionId id, int queued_max, Instant now) {
  const auto bisection = db::running_bisection(connection, id);
  if (!bisection) return {};
  const std::vector<bisect::Observation> seen = db::observations(connection, id);
  const bisect::Next next = bisect::next_step(static_cast<int>(bisection->commits.size()), seen);
  std::vector<std::string> names;
  for (const std::string& commit : bisection->commits) names.push_back(commit.substr(0, 10));
  const std::string text = bisect::describe(next, names);
  if (!next.step) {
    db::end_bisection(connection, id, next, text, now);
    db::log_action(connection,
                   {.actor = "server", .action = "bisection.end", .subject = subject_of(id), .detail = text}, now);
    return {};
  }
  db::NewRun run = run_of(*bisection, *next.step, seen);
  run.queued_max = queued_max;
  const auto added = db::add_run(connection, run, now);
  if (!added) return pass_on(added);
  const int number = static_cast<int>(seen.size()) + 1;
  db::add_step(connection, {.bisection = id, .number = number, .run = added->id, .step = *next.step});
  db::put_bisection(connection, id, next, text);
  return {};
}

}  // namespace

Result<db::BisectionId> begin_bisection(db::Connection& connection, db::NewBisection wanted, int queued_max,
                                        Instant now) {
  if (const Status good = check_commits(wanted.commits); !good) return pass_on(good);
  if (const Status good = check_target(connection, wanted.repository, wanted.target); !good) return pass_on(good);
  if (const Status room = check_room(connection, wanted); !room) return pass_on(room);
  const db::BisectionId id = db::add_bisection(connection, wanted, now);
  db::log_action(connection,
                 {.actor = wanted.actor,
                  .action = "bisection.start",
                  .subject = subject_of(id),
                  .detail = fmt::format("{} until {}, {} to {}", wanted.target.benchmark, to_string(wanted.target.aim),
                                        wanted.commits.front().substr(0, 10), wanted.commits.back().substr(0, 10))},
                 now);
  if (const Status begun = advance(connection, id, queued_max, now); !begun) return pass_on(begun);
  return id;
}

Status stop_bisection(db::Connection& connection, db::BisectionId id, const std::string& actor, Instant now) {
  const auto known = db::get_bisection(connection, id);
  if (!known) return pass_on(known);
  if (known->state != wire::BisectionState::running)
    return fail(Errc::conflict, subject_of(id) + " is " + std::string(to_string(known->state)), subject_of(id),
                "a finished one never changes");
  const std::string text = "cancelled by " + actor;
  db::mark_cancelled(connection, id, text, now);
  db::log_action(connection, {.actor = actor, .action = "bisection.cancel", .subject = subject_of(id), .detail = {}},
                 now);
  const auto run = db::run_under_way(connection, id);
  if (!run) return {};
  return stop_run(connection, *run, subject_of(id) + " was " + text, now);
}

void bisection_run_ended(db::Connection& connection, RunId id, Instant now) {
  const auto step = db::waiting_step(connection, id);
  if (!step) return;
  const auto run = db::get_run(connection, id);
  const auto bisection = db::running_bisection(connection, step->bisection);
  if (!run || !bisection) return;
  const bisect::RunEnd end{.conclusion = run->conclusion,
                           .reason = run->reason.empty() ? run->summary : run->reason,
                           .base = run->base_commit,
                           .wanted = bisection->commits[static_cast<std::size_t>(step->step.base)],
                           .comparisons = db::list_comparisons(connection, run->reused_from.value_or(run->id))};
  db::put_reading(connection, *step, bisect::read_run(bisection->target, end));
  // It holds its place already: a full queue does not stop what is under way.
  (void)advance(connection, step->bisection, INT_MAX, now);
}

Result<wire::BackfillReply> queue_backfill(db::Connection& connection, const Backfill& wanted, Instant now) {
  if (const Status good = check_commits(wanted.commits); !good) return pass_on(good);
  const std::vector<std::size_t> missing = db::never_measured(connection, wanted.repository, wanted.commits);
  const std::size_t taken = std::min(missing.size(), static_cast<std::size_t>(wanted.limit));
  wire::BackfillReply reply;
  reply.known = static_cast<int>(wanted.commits.size() - 1 - missing.size());
  reply.left = static_cast<int>(missing.size() - taken);
  for (std::size_t i = 0; i < taken; ++i) {
    const std::string& commit = wanted.commits[missing[i]];
    const std::string& base = wanted.commits[missing[i] - 1];
    db::NewRun run = search_run(wanted.repository, commit, base);
    run.source = "backfill";
    run.idempotency_key = "backfill:" + commit + ":" + std::to_string(to_millis(now));
    run.queued_max = wanted.queued_max;
    const auto added = db::add_run(connection, run, now);
    if (!added) return pass_on(added);
    reply.runs.push_back({.commit = commit, .base = base, .run = added->id.value});
  }
  db::log_action(connection,
                 {.actor = wanted.actor,
                  .action = "backfill",
                  .subject = wanted.commits.front().substr(0, 10) + " to " + wanted.commits.back().substr(0, 10),
                  .detail = fmt::format("{} runs queued, {} left", reply.runs.size(), reply.left)},
                 now);
  return reply;
}

}  // namespace kernelgate::service
