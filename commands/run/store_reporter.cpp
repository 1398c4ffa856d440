// SPDX-License-Identifier: Apache-2.0
#include "commands/run/store_reporter.hpp"

#include "core/decision/decide.hpp"
#include "core/decision/judged_key.hpp"
#include "core/units/time.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/logs.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::local {

Status StoreReporter::state(RunState state, const std::string& progress) {
  if (progress_) progress_(progress);
  return database_.write(
      [&](db::Connection& connection) { return db::set_progress(connection, run_.run, state, progress); });
}

Result<std::optional<std::int64_t>> StoreReporter::resolved(const wire::Resolved& facts) {
  using Answer = std::optional<std::int64_t>;
  return database_.write([&](db::Connection& connection) -> Result<Answer> {
    db::ResolvedRun resolved;
    resolved.base_commit = facts.base_commit;
    resolved.base_tree = facts.base_tree;
    resolved.head_tree = facts.head_tree;
    resolved.subject = facts.subject;
    resolved.author = facts.author;
    resolved.manifest_sha256 = facts.manifest_sha256;
    resolved.policy = facts.policy;
    resolved.rule_version = kRuleVersion;
    resolved.epoch = run_.epoch;
    if (keyed_)
      resolved.judged_key = judged_key({.repository = run_.repository.value,
                                        .base_tree = facts.base_tree,
                                        .head_tree = facts.head_tree,
                                        .manifest_sha256 = facts.manifest_sha256,
                                        .policy = facts.policy,
                                        .epoch = run_.epoch.value});
    // A job reports again when base is replaced: with all its notices, of which some are known.
    resolved.notices.assign(facts.notices.begin() + static_cast<std::ptrdiff_t>(notices_told_), facts.notices.end());
    notices_told_ = facts.notices.size();
    if (auto set = db::set_resolved(connection, run_.run, resolved); !set) return pass_on(set);
    db::put_attempt_facts(
        connection, run_.run,
        {.hypothesis = facts.hypothesis, .patch_id = facts.patch_id, .suite = {}, .point = {}, .is_reference = false});
    if (!reuse_ || !keyed_) return Answer();
    const auto known = db::find_judged(connection, resolved.judged_key);
    if (!known || !db::verdict_stands(connection, *known, SystemClock().now())) return Answer();
    const auto done = db::finish_reused(connection, run_.run, *known, SystemClock().now());
    if (!done) return pass_on(done);
    return Answer(known->value);
  });
}

Status StoreReporter::process(const Process& process) {
  const auto stored = database_.write(
      [&](db::Connection& connection) { return db::put_process(connection, run_.run, process, SystemClock().now()); });
  if (!stored) return pass_on(stored);
  return {};
}

Status StoreReporter::log(const std::string& name, const std::string& text) {
  return database_.write(
      [&](db::Connection& connection) { return db::put_log(connection, run_.run, name, text, SystemClock().now()); });
}

}  // namespace kernelgate::local
