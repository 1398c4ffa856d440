// SPDX-License-Identifier: Apache-2.0
#include "db/runs/lines.hpp"

#include "core/wire/messages.hpp"
#include "db/runs/run_parts.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kOnLine =
    "FROM runs r WHERE r.repository_id = ? AND ((? <> 0 AND r.pull_request = ?) OR "
    "(? <> '' AND r.trust = 'trusted' AND r.branch = ? AND r.source = 'webhook')) ";

std::vector<RunId> find(Connection& connection, const Line& line, std::string_view more) {
  Statement row =
      connection.query("SELECT r.id " + std::string(kOnLine) + std::string(more), line.repository,
                       line.pull_request.has_value(), line.pull_request.value_or(0), line.branch, line.branch);
  std::vector<RunId> out;
  while (row.step()) out.push_back(row.id<RunId>(0));
  return out;
}

}  // namespace

std::vector<Run> unfinished_on(Connection& connection, const Line& line) {
  std::vector<Run> out;
  for (const RunId id : find(connection, line, "AND r.finished_at IS NULL ORDER BY r.id"))
    if (auto run = get_run(connection, id)) out.push_back(std::move(*run));
  return out;
}

std::optional<RunId> newer_on(Connection& connection, const Line& line, Instant pushed_at) {
  const auto found = find(connection, line,
                          "AND r.pushed_at > " + std::to_string(to_millis(pushed_at)) + " ORDER BY r.id DESC LIMIT 1");
  return found.empty() ? std::nullopt : std::optional(found.front());
}

void set_superseded(Connection& connection, RunId older, RunId newer) {
  connection.run("UPDATE runs SET superseded_by = ? WHERE id = ?", newer, older);
}

std::optional<RunId> unfinished_twin(Connection& connection, RepositoryId repository, std::string_view commit,
                                     const wire::BaseRequest& base, std::optional<std::int64_t> pull_request) {
  Statement row = connection.query(
      "SELECT r.id FROM commits h JOIN runs r ON r.head_id = h.id WHERE h.repository_id = ? AND h.hash = ? "
      "AND r.finished_at IS NULL AND r.trust = 'trusted' AND r.source = 'webhook' AND r.base_kind = ? AND "
      "r.base_argument = ? "
      "AND (? = 0 OR r.pull_request IS NULL OR r.pull_request = ?) ORDER BY r.id DESC LIMIT 1",
      repository, commit, wire::to_string(base.kind), base.argument, pull_request.has_value(),
      pull_request.value_or(0));
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

Status set_pull_request(Connection& connection, RunId id, const wire::PullRequest& pull_request) {
  if (const auto head = unfinished_run(connection, id); !head) return pass_on(head);
  connection.run(
      "UPDATE runs SET pull_request = ?, target_branch = ?, head_repository = ?, trust = ?, sender = ? WHERE id = ?",
      pull_request.number, pull_request.target, pull_request.head_repository, to_string(trust_of(pull_request)),
      pull_request.sender, id);
  return {};
}

}  // namespace kernelgate::db
