// SPDX-License-Identifier: Apache-2.0
// A runner's work up to the measuring: claim, heartbeat, resolved, release.
#include "db/runs/claims.hpp"

#include <algorithm>

#include "core/decision/decide.hpp"
#include "core/decision/judged_key.hpp"
#include "core/units/digest.hpp"
#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempts.hpp"
#include "db/repositories/commits.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/profiles.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/lease.hpp"
#include "server/api/runs/log_run.hpp"

namespace kernelgate::api {
namespace {

struct Claimed {
  db::Run run;
  wire::Claim claim;
};

// Everything the runner must know, read in the transaction that takes the job.
Result<Claimed> describe(db::Connection& connection, const db::ClaimedJob& job, EpochId epoch, const std::string& lease,
                         std::chrono::seconds lease_length) {
  auto run = db::get_run(connection, job.run);
  if (!run) return pass_on(run);
  const auto repository = db::get_repository(connection, run->repository_id);
  if (!repository) return pass_on(repository);
  auto stored = db::stored_variances(connection, repository->id, epoch);
  auto sessions = db::stored_sessions(connection, repository->id, epoch);
  db::put_claim(connection, job.run, job.generation, stored, sessions);
  wire::Claim claim{.run = job.run.value,
                    .lease = lease,
                    .lease_s = static_cast<int>(lease_length.count()),
                    .repository = repository->name,
                    .url = repository->url,
                    .default_branch = repository->default_branch,
                    .commit = run->commit,
                    .base = run->base,
                    .manifest = repository->manifest,
                    .seed = run->seed,
                    .epoch = epoch.value,
                    .stored = std::move(stored),
                    .bad_commits = db::bad_commits(connection, repository->id),
                    .baselines = db::baseline_commits(connection, repository->id),
                    .sessions = std::move(sessions),
                    .anchor = db::anchor_commit(connection, repository->id, epoch),
                    .process_ids = db::process_ids(connection, job.run),
                    .fork = run->pull_request && run->pull_request->fork};
  return Claimed{std::move(*run), std::move(claim)};
}

Result<std::optional<Claimed>> claim(db::Connection& connection, const http::Request& request,
                                     const wire::ClaimRequest& wanted, Instant now, std::chrono::seconds lease_length) {
  const EpochId epoch = db::enter_epoch(connection, wanted.testbed, now);
  const std::string lease = random_hex(32);
  const auto job = db::claim_job(connection, db::JobClaim{.runner = wanted.runner,
                                                          .testbed = wanted.testbed.name,
                                                          .has_gpu = wanted.has_gpu,
                                                          .lease_sha256 = lease_hash(request, lease),
                                                          .epoch = epoch,
                                                          .now = now,
                                                          .lease = lease_length});
  if (!job) return std::optional<Claimed>();
  auto claimed = describe(connection, *job, epoch, lease, lease_length);
  if (!claimed) return pass_on(claimed);
  return std::optional(std::move(*claimed));
}

struct Beat {
  db::Run run;
  bool cancelled = false;
};

Result<Beat> beat(db::Connection& connection, RunId id, const std::string& hash, const wire::Heartbeat& heartbeat,
                  RunState state, Instant now, std::chrono::seconds lease_length) {
  const bool cancelled = db::lease_state(connection, id, hash) == db::LeaseState::cancelled;
  if (!cancelled) {
    if (const Status held = check_lease(connection, id, hash); !held) return pass_on(held);
    if (const Status renewed = db::renew_lease(connection, id, hash, now, lease_length); !renewed)
      return pass_on(renewed);
    if (const Status set = db::set_progress(connection, id, state, heartbeat.progress); !set) return pass_on(set);
  }
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  return Beat{std::move(*run), cancelled};
}

Status check_resolved(const wire::Resolved& resolved) {
  const auto hash_like = [](const std::string& text) { return text.empty() || is_git_hash(text); };
  if (!hash_like(resolved.base_commit) || !hash_like(resolved.base_tree))
    return fail(Errc::invalid, "not a git object name", "/base_commit", "send what git rev-parse prints");
  if (!is_git_hash(resolved.head_tree))
    return fail(Errc::invalid, "not a git object name", "/head_tree", "send what git rev-parse HEAD^{tree} prints");
  return {};
}

// Stores what base turned out to be; ends the run where its verdict is known already.
Result<db::Run> resolve(db::Connection& connection, const http::Request& request, RunId id,
                        const wire::Resolved& resolved, Instant now) {
  const std::string hash = lease_hash(request, resolved.lease);
  if (db::lease_state(connection, id, hash) == db::LeaseState::finished) {
    auto done = db::get_run(connection, id);
    if (done && done->reused_from) return done;  // the answer to the first call was lost
  }
  if (const Status held = check_lease(connection, id, hash); !held) return pass_on(held);
  const auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  const std::string key = judged_key({.repository = run->repository_id.value,
                                      .base_tree = resolved.base_tree,
                                      .head_tree = resolved.head_tree,
                                      .manifest_sha256 = resolved.manifest_sha256,
                                      .policy = resolved.policy,
                                      .epoch = run->epoch.value_or(EpochId{}).value});
  const Status set = db::set_resolved(connection, id,
                                      db::ResolvedRun{.base_commit = resolved.base_commit,
                                                      .base_tree = resolved.base_tree,
                                                      .head_tree = resolved.head_tree,
                                                      .subject = resolved.subject,
                                                      .author = resolved.author,
                                                      .manifest_sha256 = resolved.manifest_sha256,
                                                      .policy = resolved.policy,
                                                      .rule_version = kRuleVersion,
                                                      .judged_key = key,
                                                      .epoch = std::nullopt,
                                                      .notices = resolved.notices});
  if (!set) return pass_on(set);
  db::put_attempt_facts(connection, id,
                        {.hypothesis = resolved.hypothesis,
                         .patch_id = resolved.patch_id,
                         .suite = {},
                         .point = {},
                         .is_reference = false});
  const auto judged = run->force ? std::nullopt : db::find_judged(connection, key);
  if (judged && db::verdict_stands(connection, *judged, now)) {
    if (const Status done = db::finish_reused(connection, id, *judged, now); !done) return pass_on(done);
    log_run(connection, request, "run.finish", id, "as run " + std::to_string(judged->value), now);
  }
  return db::get_run(connection, id);
}

}  // namespace

Result<http::Answer> post_claim(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::ClaimRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  if (wanted->runner.empty() || wanted->runner.size() > limits::kNameMax)
    return fail(Errc::invalid, "not a runner's name", "/runner", "1 to 100 bytes");
  if (wanted->testbed.name.empty() || wanted->testbed.name.size() > limits::kNameMax)
    return fail(Errc::invalid, "not a testbed's name", "/testbed/name", "1 to 100 bytes");
  const Instant now = context.clock.now();
  const auto claimed = context.database.write([&](db::Connection& connection) {
    auto done = claim(connection, request, *wanted, now, context.settings.lease);
    if (done && *done)
      log_run(connection, request, "run.claim", (*done)->run.id, wanted->runner + " on " + wanted->testbed.name, now);
    return done;
  });
  if (!claimed) return pass_on(claimed);
  if (*claimed) {
    announce(context, (*claimed)->run);
    return json(200, wire::encode((*claimed)->claim));
  }
  // It claims that first, and comes back.
  const auto waits = [&](db::Connection& connection) {
    return db::profile_waits(connection, wanted->testbed.name, now);
  };
  const bool elsewhere = request.query_value("profiles") && context.database.read(waits).value_or(false);
  const auto wait = std::clamp(std::chrono::seconds(wanted->wait_s), std::chrono::seconds(0), limits::kLongPollMax);
  if (elsewhere || wait.count() == 0 || request.last_chance) return no_content();
  return http::Park{kJobsTopic, wait};
}

Result<http::Answer> post_heartbeat(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto heartbeat = wire::decode<wire::Heartbeat>(request.body);
  if (!heartbeat) return pass_on(heartbeat);
  const auto state = parse_run_state(heartbeat->state);
  if (!state || is_finished(*state) || is_waiting(*state))
    return fail(Errc::invalid, "not a state of work", "/state", "claimed, building, checking, measuring or deciding");
  const std::string hash = lease_hash(request, heartbeat->lease);
  const auto done = context.database.write([&](db::Connection& connection) {
    return beat(connection, *id, hash, *heartbeat, *state, context.clock.now(), context.settings.lease);
  });
  if (!done) return pass_on(done);
  if (!done->cancelled) announce(context, done->run);
  return json(200, wire::encode(wire::HeartbeatReply{.cancel = done->cancelled}));
}

Result<http::Answer> post_resolved(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto resolved = wire::decode<wire::Resolved>(request.body);
  if (!resolved) return pass_on(resolved);
  if (const Status status = check_resolved(*resolved); !status) return pass_on(status);
  const auto run = context.database.write(
      [&](db::Connection& connection) { return resolve(connection, request, *id, *resolved, context.clock.now()); });
  if (!run) return pass_on(run);
  if (run->reused_from) announce(context, *run);
  wire::ResolvedReply reply;
  if (run->reused_from) reply.reused_from = run->reused_from->value;
  return json(200, wire::encode(reply));
}

Result<http::Answer> post_release(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto release = wire::decode<wire::Release>(request.body);
  if (!release) return pass_on(release);
  const std::string hash = lease_hash(request, release->lease);
  const auto run = context.database.write([&](db::Connection& connection) -> Result<db::Run> {
    if (const Status held = check_lease(connection, *id, hash); !held) return pass_on(held);
    const db::JobRelease job{.reason = release->reason, .requires_gpu = false, .not_before = std::nullopt};
    if (const Status done = db::release_job(connection, *id, hash, job); !done) return pass_on(done);
    log_run(connection, request, "run.release", *id, release->reason, context.clock.now());
    return db::get_run(connection, *id);
  });
  if (!run) return pass_on(run);
  announce(context, *run);
  return no_content();
}

}  // namespace kernelgate::api
