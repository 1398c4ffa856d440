// SPDX-License-Identifier: Apache-2.0
#include "db/runs/runs.hpp"

#include <bit>

#include "core/units/limits.hpp"
#include "db/repositories/commits.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/lines.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectRuns =
    "SELECT r.id, r.repository_id, p.name, h.hash, h.tree, coalesce(b.hash, ''), coalesce(b.tree, "
    "''), r.branch, "
    "h.subject, h.author, r.source, r.base_kind, r.base_argument, r.state, r.conclusion, r.reason, "
    "r.summary, "
    "r.progress, r.runner, coalesce(t.name, ''), r.epoch_id, r.seed, r.generation, r.claims, "
    "r.force, "
    "r.idempotency_key, r.judged_key, r.manifest_sha256, r.policy, r.created_at, r.started_at, "
    "r.finished_at, "
    "r.reused_from, r.retry_of, r.exit_code, r.gpu_s_held, r.gpu_s_used, r.wall_s, r.notices, "
    "r.pull_request, r.target_branch, r.head_repository, r.trust, r.sender, r.superseded_by, "
    "r.thinned_at, r.sandbox, r.largest_ratio "
    "FROM runs r JOIN repositories p ON p.id = r.repository_id JOIN commits h ON h.id = r.head_id "
    "LEFT JOIN commits b ON b.id = r.base_id LEFT JOIN epochs e ON e.id = r.epoch_id "
    "LEFT JOIN testbeds t ON t.id = e.testbed_id ";

std::optional<Trust> parse_trust(std::string_view text) {
  for (const Trust trust : {Trust::trusted, Trust::fork})
    if (to_string(trust) == text) return trust;
  return std::nullopt;
}

Run read_run(const Statement& row) {
  Run run;
  run.id = row.id<RunId>(0);
  run.repository_id = row.id<RepositoryId>(1);
  std::string* const texts[] = {&run.repository, &run.commit,  &run.head_tree, &run.base_commit, &run.base_tree,
                                &run.branch,     &run.subject, &run.author,    &run.source};
  for (int i = 0; i < 9; ++i) *texts[i] = row.text(2 + i);
  run.base = {.kind = known(parse_word<wire::BaseKind>(row.text(11)), row.text(11)), .argument = row.text(12)};
  run.state = known(parse_run_state(row.text(13)), row.text(13));
  if (!row.is_null(14)) run.conclusion = known(parse_conclusion(row.text(14)), row.text(14));
  run.reason = row.text(15);
  run.summary = row.text(16);
  run.progress = row.text(17);
  run.runner = row.text(18);
  run.testbed = row.text(19);
  run.epoch = row.maybe_id<EpochId>(20);
  run.seed = std::bit_cast<std::uint64_t>(row.integer(21));
  run.generation = static_cast<int>(row.integer(22));
  run.claims = static_cast<int>(row.integer(23));
  run.force = row.boolean(24);
  run.idempotency_key = row.text(25);
  run.judged_key = row.text(26);
  run.manifest_sha256 = row.text(27);
  run.policy = row.text(28);
  run.created_at = row.instant(29);
  run.started_at = row.maybe_instant(30);
  run.finished_at = row.maybe_instant(31);
  run.reused_from = row.maybe_id<RunId>(32);
  run.retry_of = row.maybe_id<RunId>(33);
  if (!row.is_null(34)) run.exit_code = static_cast<int>(row.integer(34));
  run.gpu_s_held = row.real(35);
  run.gpu_s_used = row.real(36);
  run.wall_s = row.real(37);
  run.notices = decode_strings(row.text(38));
  run.sandbox = row.text(46);
  run.trust = known(parse_trust(row.text(42)), row.text(42));
  if (!row.is_null(39)) {
    run.pull_request = wire::PullRequest{.number = row.integer(39),
                                         .target = row.text(40),
                                         .head_repository = row.text(41),
                                         .fork = run.trust == Trust::fork,
                                         .sender = row.text(43)};
  }
  run.superseded_by = row.maybe_id<RunId>(44);
  run.thinned_at = row.maybe_instant(45);
  if (!row.is_null(47)) run.largest_ratio = row.real(47);
  return run;
}

std::optional<RunId> run_with_key(Connection& connection, const NewRun& run) {
  Statement row = connection.query("SELECT id FROM runs WHERE repository_id = ? AND idempotency_key = ?",
                                   run.repository, run.idempotency_key);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

Status check_room(Connection& connection, const NewRun& run) {
  const std::string state(to_string(run.held ? RunState::held : RunState::queued));
  const int most = run.held ? limits::kHeldRunsMax : run.queued_max;
  Statement row =
      connection.query("SELECT count(*) FROM runs WHERE state = ? AND repository_id = ?", state, run.repository);
  if (!row.step() || row.integer(0) < most) return {};
  return fail(Errc::too_many, "the repository has " + std::to_string(most) + " runs " + state, {},
              run.held ? "approve or refuse some of them" : "wait for some to finish, or cancel them");
}

RunState first_state(const NewRun& run) {
  if (!run.queued) return RunState::claimed;
  return run.held ? RunState::held : RunState::queued;
}

std::string filter_sql(const RunFilter& filter) {
  std::string sql(kSelectRuns);
  sql += "WHERE r.id < ?";
  if (filter.repository) sql += " AND r.repository_id = ?";
  // The look-up of the commit first, so that its runs are found by index.
  if (!filter.commit.empty()) sql += " AND r.head_id IN (SELECT id FROM commits WHERE hash >= ? AND hash < ? || 'g')";
  if (!filter.testbed.empty()) sql += " AND t.name = ?";
  if (!filter.branch.empty()) sql += " AND r.branch = ?";
  if (filter.state) sql += " AND r.state = ?";
  if (filter.conclusion) sql += " AND r.conclusion = ?";
  if (filter.pull_request) sql += " AND r.pull_request = ?";
  if (filter.unfinished_only) sql += " AND r.finished_at IS NULL";
  sql += " ORDER BY r.id DESC LIMIT ?";
  return sql;
}

void add_job(Connection& connection, RunId run) { connection.run("INSERT INTO jobs (run_id) VALUES (?)", run); }

}  // namespace

std::string_view to_string(Trust trust) { return trust == Trust::fork ? "fork" : "trusted"; }

Trust trust_of(const wire::PullRequest& pull_request) { return pull_request.fork ? Trust::fork : Trust::trusted; }

Result<AddedRun> add_run(Connection& connection, const NewRun& run, Instant now) {
  if (run.idempotency_key.empty()) return fail(Errc::invalid, "a run needs an idempotency key");
  if (const auto repository = get_repository(connection, run.repository); !repository) return pass_on(repository);
  if (const auto known_run = run_with_key(connection, run)) return AddedRun{.id = *known_run, .is_new = false};
  if (run.queued)
    if (const Status room = check_room(connection, run); !room) return pass_on(room);
  CommitFacts facts{.hash = run.commit, .tree = {}, .subject = run.subject, .author = run.author, .parents = {}};
  // A pull request's title, which may be untrusted words, stands for the commit's subject only until that is known.
  if (run.pull_request && find_commit(connection, run.repository, run.commit)) facts.subject = facts.author = {};
  const CommitId head = put_commit(connection, run.repository, facts);
  const wire::PullRequest pull_request = run.pull_request.value_or(wire::PullRequest{});
  connection.run(
      "INSERT INTO runs (repository_id, head_id, branch, source, base_kind, base_argument, "
      "idempotency_key, force, "
      "seed, retry_of, state, generation, created_at, started_at, pull_request, target_branch, "
      "head_repository, trust, sender, pushed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      run.repository, head, run.branch, run.source, wire::to_string(run.base.kind), run.base.argument,
      run.idempotency_key, run.force, std::bit_cast<std::int64_t>(run.seed), run.retry_of, to_string(first_state(run)),
      run.queued ? 0 : 1, now, run.queued ? std::nullopt : std::optional(now),
      run.pull_request ? std::optional(pull_request.number) : std::nullopt, pull_request.target,
      pull_request.head_repository, to_string(trust_of(pull_request)), pull_request.sender, run.pushed_at);
  const RunId id{connection.last_insert_id()};
  if (first_state(run) == RunState::queued) add_job(connection, id);
  return AddedRun{.id = id, .is_new = true};
}

Result<Run> get_run(Connection& connection, RunId id) {
  Statement row = connection.query(std::string(kSelectRuns) + "WHERE r.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no run " + std::to_string(id.value), "run");
  return read_run(row);
}

Status approve_run(Connection& connection, RunId id) {
  const auto head = run_head(connection, id);
  if (!head) return pass_on(head);
  if (head->state != RunState::held)
    return fail(Errc::conflict, "run " + std::to_string(id.value) + " is " + std::string(to_string(head->state)) +
                                    ", not held: there is nothing to approve");
  connection.run("UPDATE runs SET state = 'queued' WHERE id = ?", id);
  add_job(connection, id);
  return {};
}

std::vector<Run> list_runs(Connection& connection, const RunFilter& filter, const Page& page) {
  Statement row = connection.query(filter_sql(filter), first_below(page));
  int index = 1;
  if (filter.repository) row.bind(++index, *filter.repository);
  if (!filter.commit.empty()) {
    row.bind(++index, filter.commit);
    row.bind(++index, filter.commit);
  }
  if (!filter.testbed.empty()) row.bind(++index, filter.testbed);
  if (!filter.branch.empty()) row.bind(++index, filter.branch);
  if (filter.state) row.bind(++index, to_string(*filter.state));
  if (filter.conclusion) row.bind(++index, to_string(*filter.conclusion));
  if (filter.pull_request) row.bind(++index, *filter.pull_request);
  row.bind(++index, row_limit(page));
  std::vector<Run> runs;
  while (row.step()) runs.push_back(read_run(row));
  return runs;
}

std::optional<Conclusion> newest_conclusion(Connection& connection, RepositoryId repository) {
  Statement row = connection.query(
      "SELECT r.conclusion FROM runs r JOIN repositories p ON p.id = r.repository_id WHERE r.repository_id = ? "
      "AND r.branch = p.default_branch AND r.trust = 'trusted' AND r.conclusion IS NOT NULL AND r.base_kind <> 'none' "
      "AND" +
          std::string(kHeadIsOnBranch) + "ORDER BY r.id DESC LIMIT 1",
      repository);
  if (!row.step()) return std::nullopt;
  return known(parse_conclusion(row.text(0)), row.text(0));
}

wire::Run to_wire(const Run& run) {
  const auto number = [](const std::optional<RunId>& id) {
    return id ? std::optional(id->value) : std::optional<std::int64_t>();
  };
  wire::Run out;
  out.id = run.id.value;
  out.repository = run.repository;
  out.commit = run.commit;
  out.base_commit = run.base_commit;
  out.branch = run.branch;
  out.subject = run.subject;
  out.author = run.author;
  out.source = run.source;
  out.state = run.state;
  out.conclusion = run.conclusion;
  out.reason = run.reason;
  out.summary = run.summary;
  out.progress = run.progress;
  out.testbed = run.testbed;
  out.epoch = run.epoch ? run.epoch->value : 0;
  out.created_at = run.created_at;
  out.started_at = run.started_at;
  out.finished_at = run.finished_at;
  out.reused_from = number(run.reused_from);
  out.retry_of = number(run.retry_of);
  out.thinned_at = run.thinned_at;
  out.claims = run.claims;
  out.exit_code = run.exit_code.value_or(-1);
  out.commit_status =
      is_finished(run.state) ? commit_status(run.conclusion.value_or(Conclusion::cancelled)) : "pending";
  out.gpu_s_held = run.gpu_s_held;
  out.gpu_s_used = run.gpu_s_used;
  out.wall_s = run.wall_s;
  out.notices = run.notices;
  out.pull_request = run.pull_request;
  out.superseded_by = number(run.superseded_by);
  out.largest_ratio = run.largest_ratio;
  return out;
}

}  // namespace kernelgate::db
