// SPDX-License-Identifier: Apache-2.0
#include "service/runs/claim.hpp"

#include "core/units/digest.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/commits.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/claims.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/jobs.hpp"
#include "db/runs/processes.hpp"
#include "service/baselines/sessions.hpp"
#include "service/runs/ends.hpp"

namespace kernelgate::service {
namespace {

// Read in the transaction that takes the job.
Result<Claimed> describe(db::Connection& connection, const db::ClaimedJob& job, EpochId epoch, const std::string& lease,
                         std::chrono::seconds lease_length) {
  auto run = db::get_run(connection, job.run);
  if (!run) return pass_on(run);
  const auto repository = db::get_repository(connection, run->repository_id);
  if (!repository) return pass_on(repository);
  auto stored = db::stored_variances(connection, repository->id, epoch);
  auto sessions = claimed_sessions(connection, repository->id, epoch);
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
                    .fork = run->trust == db::Trust::fork};
  return Claimed{std::move(*run), std::move(claim)};
}

Result<std::optional<Claimed>> take_job(db::Connection& connection, const wire::ClaimRequest& wanted,
                                        const Claimer& claimer, const Clock& clock) {
  const Instant now = clock.now();
  const EpochId epoch = db::enter_epoch(connection, wanted.testbed, now);
  const std::string lease = random_hex(32);
  const auto job = db::claim_job(connection, db::JobClaim{.runner = wanted.runner,
                                                          .testbed = wanted.testbed.name,
                                                          .has_gpu = wanted.has_gpu,
                                                          .lease_sha256 = lease_hash(lease, claimer.token),
                                                          .epoch = epoch,
                                                          .now = now,
                                                          .lease_until = clock.steady() + claimer.lease});
  if (!job) return std::optional<Claimed>();
  auto claimed = describe(connection, *job, epoch, lease, claimer.lease);
  if (!claimed) return pass_on(claimed);
  log_run(connection, claimer.actor, "run.claim", job->run, wanted.runner + " on " + wanted.testbed.name, now);
  return std::optional(std::move(*claimed));
}

}  // namespace

Result<std::optional<Claimed>> claim(Store store, const wire::ClaimRequest& wanted, const Claimer& claimer,
                                     const Clock& clock) {
  return store.write([&](db::Connection& connection) { return take_job(connection, wanted, claimer, clock); });
}

Result<Beat> heartbeat(Store store, RunId id, const Holder& holder, RunState state, const std::string& progress,
                       Instant lease_until) {
  return store.write([&](db::Connection& connection) -> Result<Beat> {
    const std::string hash = holder.lease_sha256.value_or("");
    const bool cancelled = db::lease_state(connection, id, hash) == db::LeaseState::cancelled;
    if (!cancelled) {
      if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
      if (const Status renewed = db::renew_lease(connection, id, hash, lease_until); !renewed) return pass_on(renewed);
      if (const Status set = db::set_progress(connection, id, state, progress); !set) return pass_on(set);
    }
    auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return Beat{std::move(*run), cancelled};
  });
}

Result<db::Run> release(Store store, RunId id, const Holder& holder, const std::string& reason, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<db::Run> {
    if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
    const db::JobRelease job{.reason = reason, .requires_gpu = false, .now = now};
    const Status done = db::release_job(connection, id, holder.lease_sha256.value_or(""), job);
    if (!done) return pass_on(done);
    log_run(connection, holder.actor, "run.release", id, reason, now);
    auto run = db::get_run(connection, id);
    if (run && is_finished(run->state)) run_ended(connection, id, now);  // given back once too often
    return run;
  });
}

Result<std::vector<db::Run>> expire_leases(Store store, const Clock& clock) {
  return store.write([&](db::Connection& connection) -> Result<std::vector<db::Run>> {
    const Instant now = clock.now();
    std::vector<db::Run> runs;
    for (const db::ExpiredJob& job : db::expire_leases(connection, clock.steady(), now)) {
      if (job.gave_up) run_ended(connection, job.run, now);
      auto run = db::get_run(connection, job.run);
      if (!run) return pass_on(run);
      log_run(connection, "server", "run.lose_runner", job.run, "now " + std::string(to_string(run->state)), now);
      runs.push_back(std::move(*run));
    }
    return runs;
  });
}

Status extend_leases(Store store, Instant until) {
  return store.write([&](db::Connection& connection) { db::extend_leases(connection, until); });
}

}  // namespace kernelgate::service
