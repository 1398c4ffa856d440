// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/baselines.hpp"

#include <algorithm>
#include <cctype>

#include "db/accounts/audit.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/runs.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

tl::unexpected<Error> refuse(RunId run, const std::string& why) {
  return fail(Errc::conflict, "run " + std::to_string(run.value) + " cannot become a baseline: " + why, "run",
              "promote a run that passed undisturbed in the present epoch");
}

// The first thing, if any, that `sql` finds in the run.
std::optional<std::string> first_of(Connection& connection, std::string_view sql, RunId run) {
  Statement row = connection.query(sql, run);
  if (!row.step()) return std::nullopt;
  return row.text(0);
}

Status check_measurements(Connection& connection, const Run& run) {
  if (const auto bad = first_of(connection,
                                "SELECT b.suite || ': ' || b.name || ' is ' || c.verdict FROM comparisons c "
                                "JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = ? AND c.verdict NOT IN "
                                "('improved', 'unchanged', 'added', 'identical', 'missing') ORDER BY c.position",
                                run.id))
    return refuse(run.id, *bad);
  if (const auto disturbed = find_disturbance(connection, run.id)) return refuse(run.id, *disturbed);
  if (!first_of(connection, "SELECT 'timed' FROM history WHERE run_id = ? LIMIT 1", run.id))
    return refuse(run.id, "it timed nothing");
  return {};
}

Status check_run(Connection& connection, const Promotion& promotion, const Run& run) {
  if (run.repository_id != promotion.repository) return refuse(run.id, "it belongs to another repository");
  if (run.state != RunState::done) return refuse(run.id, "it is " + std::string(to_string(run.state)));
  if (run.conclusion != Conclusion::passed)
    return refuse(run.id, run.conclusion ? "it concluded " + std::string(to_string(*run.conclusion)) : "no conclusion");
  if (run.reused_from)
    return refuse(run.id, "it measured nothing itself; run " + std::to_string(run.reused_from->value) + " did");
  if (!run.epoch) return refuse(run.id, "it has no epoch");
  if (run.source == kSessionSource) return refuse(run.id, "it is a session of a baseline, judged against nothing");
  if (is_over(connection, *run.epoch)) return refuse(run.id, "its epoch is over: the testbed has changed since");
  return check_measurements(connection, run);
}

constexpr std::string_view kSelectBaselines =
    "SELECT l.id, l.repository_id, l.run_id, l.epoch_id, l.name, c.hash, l.actor, l.reason, "
    "l.promoted_at, l.replaced_at, l.anchor, (SELECT count(*) FROM runs s WHERE s.head_id = r.head_id AND s.epoch_id = "
    "l.epoch_id AND s.source = 'remeasure' AND s.state = 'done' AND s.conclusion = 'passed') "
    "FROM baselines l JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id ";

Baseline read_baseline(const Statement& row) {
  return {.id = row.id<BaselineId>(0),
          .repository = row.id<RepositoryId>(1),
          .run = row.id<RunId>(2),
          .epoch = row.id<EpochId>(3),
          .name = row.text(4),
          .commit = row.text(5),
          .actor = row.text(6),
          .reason = row.text(7),
          .promoted_at = row.instant(8),
          .replaced_at = row.maybe_instant(9),
          .anchor = row.boolean(10),
          .sessions = static_cast<int>(row.integer(11)),
          .benchmarks = {}};
}

void read_benchmarks(Connection& connection, Baseline& baseline) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, l.median_ns, l.process_count FROM baseline_benchmarks l "
      "JOIN benchmarks b ON b.id = l.benchmark_id WHERE l.baseline_id = ? ORDER BY b.suite, b.name",
      baseline.id);
  while (row.step())
    baseline.benchmarks.push_back({.suite = row.text(0),
                                   .benchmark = row.text(1),
                                   .median_ns = row.real(2),
                                   .processes = static_cast<int>(row.integer(3))});
}

}  // namespace

Result<BaselineId> promote(Connection& connection, const Promotion& promotion, Instant now) {
  if (promotion.name.empty()) return fail(Errc::invalid, "a baseline needs a name", "name");
  if (std::any_of(promotion.name.begin(), promotion.name.end(),
                  [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }))
    return fail(Errc::invalid, "a baseline's name is one line of text", "name", "main, release-1.2 …");
  if (promotion.reason.empty()) return fail(Errc::invalid, "a promotion needs a reason", "reason", "say why");
  const auto run = get_run(connection, promotion.run);
  if (!run) return pass_on(run);
  if (const Status fit = check_run(connection, promotion, *run); !fit) return pass_on(fit);
  const auto present = find_baseline(connection, promotion.repository, promotion.name, *run->epoch);
  if (present && present->run == promotion.run && present->anchor == promotion.anchor &&
      present->reason == promotion.reason)
    return fail(Errc::conflict,
                "run " + std::to_string(promotion.run.value) + " is " + promotion.name + " already: promoted by " +
                    present->actor + ": " + present->reason,
                "name", "nothing to do; another reason replaces the promotion");
  connection.run(
      "UPDATE baselines SET replaced_at = ? WHERE repository_id = ? AND name = ? AND epoch_id = ? "
      "AND replaced_at IS NULL",
      now, promotion.repository, promotion.name, run->epoch);
  connection.run(
      "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at, anchor) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      promotion.repository, promotion.run, run->epoch, promotion.name, promotion.actor, promotion.reason, now,
      promotion.anchor);
  const BaselineId id{connection.last_insert_id()};
  connection.run(
      "INSERT INTO baseline_benchmarks (baseline_id, benchmark_id, median_ns, process_count) "
      "SELECT ?, benchmark_id, median_ns, process_count FROM history WHERE run_id = ?",
      id, promotion.run);
  log_action(connection,
             {.actor = promotion.actor,
              .action = "baseline.promote",
              .subject = "run " + std::to_string(promotion.run.value),
              .detail = promotion.name + (promotion.anchor ? " (anchor): " : ": ") + promotion.reason},
             now);
  return id;
}

// A disturbed process that was redone did no harm: only the last attempt of a pair counts.
std::optional<std::string> find_disturbance(Connection& connection, RunId run) {
  return first_of(connection,
                  "SELECT p.suite || ', pair ' || p.pair || ' was disturbed: ' || p.disturbance FROM processes p "
                  "WHERE p.run_id = ? AND p.superseded = 0 AND p.disturbed <> 0 AND NOT EXISTS ("
                  "SELECT 1 FROM processes redo WHERE redo.run_id = p.run_id AND redo.superseded = 0 "
                  "AND redo.suite = p.suite AND redo.side = p.side AND redo.round = p.round AND redo.pair = p.pair "
                  "AND redo.attempt > p.attempt) ORDER BY p.id",
                  run);
}

Result<Baseline> get_baseline(Connection& connection, BaselineId id) {
  Statement row = connection.query(std::string(kSelectBaselines) + "WHERE l.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no baseline " + std::to_string(id.value));
  Baseline baseline = read_baseline(row);
  read_benchmarks(connection, baseline);
  return baseline;
}

std::optional<Baseline> find_baseline(Connection& connection, RepositoryId repository, std::string_view name,
                                      EpochId epoch) {
  Statement row =
      connection.query(std::string(kSelectBaselines) +
                           "WHERE l.repository_id = ? AND l.name = ? AND l.epoch_id = ? AND l.replaced_at IS NULL",
                       repository, name, epoch);
  if (!row.step()) return std::nullopt;
  Baseline baseline = read_baseline(row);
  read_benchmarks(connection, baseline);
  return baseline;
}

std::vector<std::string> baseline_commits(Connection& connection, RepositoryId repository) {
  std::vector<std::string> commits;
  for (const Baseline& baseline : list_baselines(connection, repository))
    if (!baseline.replaced_at && std::find(commits.begin(), commits.end(), baseline.commit) == commits.end())
      commits.push_back(baseline.commit);
  return commits;
}

std::vector<Baseline> list_baselines(Connection& connection, RepositoryId repository, const Page& page) {
  Statement row = connection.query(
      std::string(kSelectBaselines) + "WHERE l.repository_id = ? AND l.id < ? ORDER BY l.id DESC LIMIT ?", repository,
      first_below(page), row_limit(page));
  std::vector<Baseline> baselines;
  while (row.step()) baselines.push_back(read_baseline(row));
  return baselines;
}

wire::WholeBaseline to_wire(const Baseline& baseline) {
  wire::WholeBaseline out{.baseline = {.id = baseline.id.value,
                                       .run = baseline.run.value,
                                       .epoch = baseline.epoch.value,
                                       .name = baseline.name,
                                       .commit = baseline.commit,
                                       .actor = baseline.actor,
                                       .reason = baseline.reason,
                                       .promoted_at = baseline.promoted_at,
                                       .replaced_at = baseline.replaced_at,
                                       .anchor = baseline.anchor,
                                       .sessions = baseline.sessions},
                          .benchmarks = {}};
  for (const BaselineBenchmark& one : baseline.benchmarks)
    out.benchmarks.push_back(
        {.suite = one.suite, .benchmark = one.benchmark, .median_ns = one.median_ns, .processes = one.processes});
  return out;
}

}  // namespace kernelgate::db
