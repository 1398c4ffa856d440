// SPDX-License-Identifier: Apache-2.0
#include "service/runs/work.hpp"

#include "core/decision/decide.hpp"
#include "core/decision/judged_key.hpp"
#include "core/units/git_hash.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/jobs.hpp"
#include "db/runs/logs.hpp"
#include "db/runs/processes.hpp"
#include "service/runs/ends.hpp"

namespace kernelgate::service {
namespace {

Status check_resolved(const wire::Resolved& resolved) {
  const auto hash_like = [](const std::string& text) { return text.empty() || is_git_hash(text); };
  if (!hash_like(resolved.base_commit) || !hash_like(resolved.base_tree))
    return fail(Errc::invalid, "not a git object name", "/base_commit", "send what git rev-parse prints");
  if (!is_git_hash(resolved.head_tree))
    return fail(Errc::invalid, "not a git object name", "/head_tree", "send what git rev-parse HEAD^{tree} prints");
  if (!resolved.sandbox.empty() && resolved.sandbox != "none")
    return fail(Errc::invalid, "unknown sandbox", "/sandbox", "none, or leave it out");
  return {};
}

db::ResolvedRun facts_of(const wire::Resolved& resolved, const db::Run& run, bool whole) {
  db::ResolvedRun out{.base_commit = resolved.base_commit,
                      .base_tree = resolved.base_tree,
                      .head_tree = resolved.head_tree,
                      .subject = resolved.subject,
                      .author = resolved.author,
                      .manifest_sha256 = resolved.manifest_sha256,
                      .policy = resolved.policy,
                      .sandbox = resolved.sandbox,
                      .rule_version = kRuleVersion,
                      .judged_key = {},
                      .epoch = std::nullopt,
                      .notices = resolved.notices};
  if (whole)
    out.judged_key = judged_key({.repository = run.repository_id.value,
                                 .base_tree = resolved.base_tree,
                                 .head_tree = resolved.head_tree,
                                 .manifest_sha256 = resolved.manifest_sha256,
                                 .policy = resolved.policy,
                                 .sandbox = resolved.sandbox,
                                 .session = run.base.kind == wire::BaseKind::none ? run.base.argument : std::string(),
                                 .epoch = run.epoch.value_or(EpochId{}).value,
                                 .untrusted = run.trust == db::Trust::fork});
  return out;
}

std::optional<RunId> known_verdict(db::Connection& connection, const db::Run& run, const std::string& key,
                                   Instant now) {
  if (run.force || run.source == db::kSessionSource || key.empty()) return std::nullopt;
  const auto judged = db::find_judged(connection, key);
  return judged && db::verdict_stands(connection, *judged, db::number_of(run.pull_request), now) ? judged
                                                                                                 : std::nullopt;
}

// The answer to the first call was lost.
std::optional<db::Run> reused_before(db::Connection& connection, RunId id, const Holder& holder) {
  if (!holder.lease_sha256 || db::lease_state(connection, id, *holder.lease_sha256) != db::LeaseState::finished)
    return std::nullopt;
  auto run = db::get_run(connection, id);
  if (!run || !run->reused_from) return std::nullopt;
  return std::move(*run);
}

}  // namespace

Result<db::Run> resolve(Store store, RunId id, const wire::Resolved& resolved, bool whole, const Holder& holder,
                        Instant now) {
  if (const Status good = check_resolved(resolved); !good) return pass_on(good);
  return store.write([&](db::Connection& connection) -> Result<db::Run> {
    if (auto before = reused_before(connection, id, holder)) return std::move(*before);
    if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    const db::ResolvedRun facts = facts_of(resolved, *run, whole);
    if (const Status set = db::set_resolved(connection, id, facts); !set) return pass_on(set);
    db::put_attempt_facts(connection, id,
                          {.hypothesis = resolved.hypothesis,
                           .patch_id = resolved.patch_id,
                           .suite = {},
                           .point = {},
                           .is_reference = false});
    if (const auto judged = known_verdict(connection, *run, facts.judged_key, now)) {
      if (const Status done = reuse_verdict(connection, id, *judged, now); !done) return pass_on(done);
      log_run(connection, holder.actor, "run.finish", id, "as run " + std::to_string(judged->value), now);
    }
    return db::get_run(connection, id);
  });
}

Result<int> upload(Store store, RunId id, std::span<const Process> processes, const Holder& holder, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<int> {
    if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
    return db::put_processes(connection, id, processes, now);
  });
}

Status keep_log(Store store, RunId id, const std::string& name, const std::string& text, const Holder& holder,
                Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    if (const Status held = check_holder(connection, id, holder); !held) return held;
    return db::put_log(connection, id, name, text, now);
  });
}

Status report_progress(Store store, RunId id, RunState state, const std::string& text) {
  return store.write([&](db::Connection& connection) { return db::set_progress(connection, id, state, text); });
}

}  // namespace kernelgate::service
