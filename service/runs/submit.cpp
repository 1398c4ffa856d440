// SPDX-License-Identifier: Apache-2.0
#include "service/runs/submit.hpp"

#include <algorithm>

#include "core/decision/decide.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/ledger/attempts.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "service/runs/ends.hpp"
#include "service/runs/lease.hpp"
#include "service/runs/seed.hpp"

namespace kernelgate::service {
namespace {

// Ended without a judgement, or with one that an action since then took the ground from: the same commit, asked for
// again, deserves a new run.
bool must_run_again(db::Connection& connection, const db::Run& run, Instant now) {
  if (!is_finished(run.state)) return false;
  return !run.conclusion || *run.conclusion == Conclusion::undecided || *run.conclusion == Conclusion::infrastructure ||
         !db::verdict_stands(connection, run.id, db::number_of(run.pull_request), now);
}

std::optional<RunId> judged_before(db::Connection& connection, const db::Repository& repository,
                                   const wire::KnownTrees& trees, std::optional<std::int64_t> pull_request,
                                   Instant now) {
  const std::string manifest = repository.manifest.empty() ? trees.manifest_sha256 : sha256_hex(repository.manifest);
  const auto epochs = db::present_epochs(connection, repository.id);
  if (epochs.empty()) return std::nullopt;
  const auto judged = db::find_judged(connection, db::JudgedParts{.repository = repository.id,
                                                                  .base_tree = trees.base_tree,
                                                                  .head_tree = trees.head_tree,
                                                                  .manifest_sha256 = manifest,
                                                                  .rule_version = kRuleVersion,
                                                                  .epoch = epochs.front()});
  return judged && db::verdict_stands(connection, *judged, pull_request, now) ? judged : std::nullopt;
}

// The new run itself, or its end where the verdict is known.
Result<Submitted> begin(db::Connection& connection, const db::Repository& repository, const wire::Trigger& trigger,
                        db::Run run, Instant now) {
  if (!trigger.hypothesis.empty())
    db::put_attempt_facts(
        connection, run.id,
        {.hypothesis = trigger.hypothesis, .patch_id = {}, .suite = {}, .point = {}, .is_reference = false});
  const auto judged = trigger.trees && !trigger.force
                          ? judged_before(connection, repository, *trigger.trees, db::number_of(run.pull_request), now)
                          : std::nullopt;
  if (!judged) return Submitted{std::move(run), true};
  if (const Status done = reuse_verdict(connection, run.id, *judged, now); !done) return pass_on(done);
  auto finished = db::get_run(connection, run.id);
  if (!finished) return pass_on(finished);
  return Submitted{std::move(*finished), false};
}

}  // namespace

Status check_ref(const std::string& ref, const std::string& where) {
  const bool control = std::any_of(ref.begin(), ref.end(), [](unsigned char c) { return c < 32; });
  if (ref.size() > limits::kRefMax || control || (!ref.empty() && ref.front() == '-'))
    return fail(Errc::invalid, "not a branch, ref or commit", where,
                "no '-' in front, no control characters, 255 bytes at most");
  return {};
}

std::string trigger_key(const wire::Trigger& trigger) {
  if (!trigger.idempotency_key.empty()) return "given:" + trigger.idempotency_key;
  if (trigger.force) return "force:" + random_hex(16);
  return "auto:" +
         Sha256().field(trigger.commit).field(to_string(trigger.base.kind)).field(trigger.base.argument).hex();
}

Result<Submitted> submit(db::Connection& connection, const wire::Trigger& trigger, const Submission& submission,
                         Instant now) {
  const auto repository = db::get_repository(connection, trigger.repository);
  if (!repository) return pass_on(repository);
  db::NewRun wanted{.repository = repository->id,
                    .commit = trigger.commit,
                    .branch = trigger.branch,
                    .subject = trigger.subject,
                    .author = trigger.author,
                    .base = trigger.base,
                    .source = trigger.source,
                    .idempotency_key = submission.key,
                    .seed = random_seed(),
                    .force = trigger.force,
                    .retry_of = std::nullopt,
                    .queued = true,
                    .queued_max = submission.queued_max,
                    .pull_request = trigger.pull_request,
                    .held = trigger.pull_request && trigger.pull_request->fork,
                    .pushed_at = submission.pushed_at};
  for (;;) {
    const auto added = db::add_run(connection, wanted, now);
    if (!added) return pass_on(added);
    auto run = db::get_run(connection, added->id);
    if (!run) return pass_on(run);
    if (added->is_new) {
      if (!run->pull_request && run->branch == repository->default_branch)
        db::note_merged(connection, repository->id, run->commit, now);
      auto begun = begin(connection, *repository, trigger, std::move(*run), now);
      if (begun) begun->is_new = true;
      return begun;
    }
    if (!submission.again || !must_run_again(connection, *run, now)) return Submitted{std::move(*run)};
    wanted.idempotency_key = "after:" + std::to_string(run->id.value);
    wanted.retry_of = run->id;
  }
}

Result<Submitted> retry_run(db::Connection& connection, RunId id, int queued_max, Instant now) {
  const auto old = db::get_run(connection, id);
  if (!old) return pass_on(old);
  if (!is_finished(old->state))
    return fail(Errc::conflict, "the run is not finished", "run " + std::to_string(id.value),
                "wait for it, or cancel it first");
  const auto added = db::add_run(connection,
                                 db::NewRun{.repository = old->repository_id,
                                            .commit = old->commit,
                                            .branch = old->branch,
                                            .subject = old->subject,
                                            .author = old->author,
                                            .base = old->base,
                                            .source = "retry",
                                            .idempotency_key = "retry:" + std::to_string(id.value),
                                            .seed = random_seed(),
                                            .force = true,
                                            .retry_of = id,
                                            .queued = true,
                                            .queued_max = queued_max,
                                            .pull_request = old->pull_request},
                                 now);
  if (!added) return pass_on(added);
  auto run = db::get_run(connection, added->id);
  if (!run) return pass_on(run);
  return Submitted{std::move(*run), added->is_new, added->is_new};
}

Result<Submitted> submit(Store store, const wire::Trigger& trigger, const Submission& submission,
                         const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) {
    auto done = submit(connection, trigger, submission, now);
    if (done && done->is_new)
      log_run(connection, actor, "run.trigger", done->run.id, trigger.source + " " + trigger.commit, now);
    return done;
  });
}

Result<Submitted> retry_run(Store store, RunId id, int queued_max, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) {
    auto done = retry_run(connection, id, queued_max, now);
    if (done && done->is_new)
      log_run(connection, actor, "run.retry", done->run.id, "of run " + std::to_string(id.value), now);
    return done;
  });
}

}  // namespace kernelgate::service
