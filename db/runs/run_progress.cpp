// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "db/repositories/commits.hpp"
#include "db/runs/run_parts.hpp"
#include "db/runs/runs.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {

Result<RunHead> run_head(Connection& connection, RunId id) {
  Statement row = connection.query("SELECT repository_id, state, generation, epoch_id FROM runs WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no run " + std::to_string(id.value), "run");
  return RunHead{.repository = row.id<RepositoryId>(0),
                 .state = known(parse_run_state(row.text(1)), row.text(1)),
                 .generation = static_cast<int>(row.integer(2)),
                 .epoch = row.maybe_id<EpochId>(3)};
}

Result<RunHead> unfinished_run(Connection& connection, RunId id) {
  auto head = run_head(connection, id);
  if (head && is_finished(head->state)) {
    return fail(Errc::conflict, "run " + std::to_string(id.value) + " is finished (" +
                                    std::string(to_string(head->state)) + ") and never changes");
  }
  return head;
}

std::string merged_notices(Connection& connection, RunId id, const std::vector<std::string>& more) {
  Statement row = connection.query("SELECT notices FROM runs WHERE id = ?", id);
  auto notices = row.step() ? decode_strings(row.text(0)) : std::vector<std::string>();
  for (const std::string& notice : more)
    if (std::find(notices.begin(), notices.end(), notice) == notices.end()) notices.push_back(notice);
  return encode_strings(notices);
}

Status set_progress(Connection& connection, RunId id, RunState state, std::string_view progress) {
  const auto head = unfinished_run(connection, id);
  if (!head) return pass_on(head);
  if (is_waiting(head->state) || is_waiting(state) || is_finished(state))
    return fail(Errc::conflict, "run " + std::to_string(id.value) + " cannot become " + std::string(to_string(state)) +
                                    " by a report of progress");
  connection.run("UPDATE runs SET state = ?, progress = ? WHERE id = ?", to_string(state), progress, id);
  return {};
}

Status set_resolved(Connection& connection, RunId id, const ResolvedRun& resolved) {
  const auto head = unfinished_run(connection, id);
  if (!head) return pass_on(head);
  std::optional<CommitId> base;
  if (!resolved.base_commit.empty()) {
    base = put_commit(
        connection, head->repository,
        {.hash = resolved.base_commit, .tree = resolved.base_tree, .subject = {}, .author = {}, .parents = {}});
  }
  connection.run(
      "UPDATE commits SET tree = CASE WHEN ?1 <> '' THEN ?1 ELSE tree END, "
      "subject = CASE WHEN ?2 <> '' THEN ?2 ELSE subject END, author = CASE WHEN ?3 <> '' THEN ?3 "
      "ELSE author END "
      "WHERE id = (SELECT head_id FROM runs WHERE id = ?4)",
      resolved.head_tree, resolved.subject, resolved.author, id);
  connection.run(
      "UPDATE runs SET base_id = ?, manifest_sha256 = ?, policy = ?, sandbox = ?, rule_version = ?, judged_key "
      "= ?, "
      "epoch_id = coalesce(?, epoch_id), notices = ? WHERE id = ?",
      base, resolved.manifest_sha256, resolved.policy, resolved.sandbox, resolved.rule_version, resolved.judged_key,
      resolved.epoch, merged_notices(connection, id, resolved.notices), id);
  return {};
}

Status set_epoch(Connection& connection, RunId id, EpochId epoch, std::string_view runner) {
  if (const auto head = unfinished_run(connection, id); !head) return pass_on(head);
  connection.run("UPDATE runs SET epoch_id = ?, runner = ? WHERE id = ?", epoch, runner, id);
  return {};
}

}  // namespace kernelgate::db
