// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "core/wire/codec.hpp"
#include "db/baselines/sessions.hpp"
#include "db/runs/run_parts.hpp"
#include "db/runs/runs.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

std::optional<double> largest_ratio(const std::vector<Comparison>& comparisons) {
  std::optional<double> slower, faster;
  for (const Comparison& one : comparisons) {
    if (!one.ratio) continue;
    if (one.verdict == Verdict::regressed) slower = std::max(slower.value_or(*one.ratio), *one.ratio);
    if (one.verdict == Verdict::improved) faster = std::min(faster.value_or(*one.ratio), *one.ratio);
  }
  return slower ? slower : faster;
}

void end_job(Connection& connection, RunId id) { connection.run("DELETE FROM jobs WHERE run_id = ?", id); }

}  // namespace

RunDocuments encode_documents(const FinishedRun& finished) {
  return {.evidence = wire::encode(finished.evidence), .decision = wire::encode(finished.decision)};
}

Status finish_run(Connection& connection, RunId id, const FinishedRun& finished, Instant now) {
  assert(finished.state == RunState::done || finished.state == RunState::aborted);
  const auto head = unfinished_run(connection, id);
  if (!head) return pass_on(head);
  const RunDecision& decision = finished.decision;
  std::vector<std::string> notices = decision.notices;
  notices.insert(notices.end(), finished.notices.begin(), finished.notices.end());
  const Conclusion conclusion = finished.state == RunState::aborted ? Conclusion::infrastructure : decision.conclusion;
  connection.run(
      "UPDATE runs SET state = ?, progress = '', conclusion = ?, reason = ?, summary = ?, notices "
      "= ?, exit_code = ?, "
      "gpu_s_held = ?, gpu_s_used = ?, wall_s = ?, finished_at = ?, largest_ratio = ? WHERE id = ?",
      to_string(finished.state), to_string(conclusion), decision.reason, decision.summary,
      merged_notices(connection, id, notices), exit_code(conclusion), finished.gpu_s_held, finished.gpu_s_used,
      finished.wall_s, now, largest_ratio(decision.comparisons), id);
  const RunDocuments documents = finished.encoded ? *finished.encoded : encode_documents(finished);
  connection.run("INSERT INTO run_documents (run_id, evidence, decision) VALUES (?, ?, ?)", id, documents.evidence,
                 documents.decision);
  write_comparisons(connection, id, head->repository, head->epoch, decision.comparisons);
  std::vector<CheckCase> checks;
  for (const SuiteEvidence& suite : finished.evidence.suites)
    checks.insert(checks.end(), suite.checks.begin(), suite.checks.end());
  write_checks(connection, id, checks);
  // A session says nothing of a new commit: history would hold the same point each night.
  if (!is_session(connection, id)) write_history(connection, id, now);
  end_job(connection, id);
  return {};
}

Status finish_reused(Connection& connection, RunId id, RunId original, Instant now) {
  if (const auto head = unfinished_run(connection, id); !head) return pass_on(head);
  const auto from = get_run(connection, original);
  if (!from) return pass_on(from);
  if (from->state != RunState::done || !from->conclusion)
    return fail(Errc::conflict, "run " + std::to_string(original.value) + " is not done: nothing to reuse");
  connection.run(
      "UPDATE runs SET state = 'done', progress = '', conclusion = ?, reason = ?, summary = ?, "
      "notices = ?, "
      "exit_code = ?, reused_from = ?, finished_at = ?, epoch_id = coalesce(epoch_id, ?), "
      "base_id = coalesce(base_id, (SELECT base_id FROM runs WHERE id = ?)), largest_ratio = ? WHERE id = ?",
      to_string(*from->conclusion), from->reason, from->summary, merged_notices(connection, id, from->notices),
      exit_code(*from->conclusion), original, now, from->epoch, original, from->largest_ratio, id);
  end_job(connection, id);
  return {};
}

Status cancel_run(Connection& connection, RunId id, std::string_view reason, Instant now) {
  if (const auto head = unfinished_run(connection, id); !head) return pass_on(head);
  connection.run(
      "UPDATE runs SET state = 'cancelled', progress = '', reason = ?, exit_code = ?, finished_at "
      "= ? WHERE id = ?",
      reason, exit_code(Conclusion::cancelled), now, id);
  end_job(connection, id);
  return {};
}

Result<RunDocuments> get_documents(Connection& connection, RunId id) {
  if (const auto head = run_head(connection, id); !head) return pass_on(head);
  Statement row = connection.query("SELECT evidence, decision FROM run_documents WHERE run_id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "run " + std::to_string(id.value) + " has no stored decision");
  return RunDocuments{.evidence = row.text(0), .decision = row.text(1)};
}

std::optional<RunId> find_judged(Connection& connection, std::string_view judged_key) {
  Statement row = connection.query(
      "SELECT id FROM runs WHERE judged_key = ? AND judged_key <> '' AND state = 'done' AND "
      "reused_from IS NULL "
      "AND conclusion IN ('passed', 'regressed', 'broken', 'build_failed') ORDER BY id DESC LIMIT "
      "1",
      judged_key);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

std::optional<RunId> find_judged(Connection& connection, const JudgedParts& parts) {
  Statement row = connection.query(
      "SELECT r.id FROM commits h JOIN runs r ON r.head_id = h.id LEFT JOIN commits b ON b.id = "
      "r.base_id "
      "WHERE h.repository_id = ? AND h.tree = ? AND h.tree <> '' AND coalesce(b.tree, '') = ? "
      "AND r.manifest_sha256 = ? AND r.rule_version = ? AND r.epoch_id = ? "
      "AND r.judged_key <> '' AND r.state = 'done' AND r.reused_from IS NULL AND r.sandbox = '' AND r.trust = "
      "'trusted' "
      "AND r.source <> 'remeasure' AND r.conclusion IN ('passed', 'regressed', 'broken', 'build_failed') ORDER BY r.id "
      "DESC LIMIT 1",
      parts.repository, parts.head_tree, parts.base_tree, parts.manifest_sha256, parts.rule_version, parts.epoch);
  if (!row.step()) return std::nullopt;
  return row.id<RunId>(0);
}

}  // namespace kernelgate::db
