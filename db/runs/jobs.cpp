// SPDX-License-Identifier: Apache-2.0
#include "db/runs/jobs.hpp"

#include "core/decision/evidence/verdict.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

tl::unexpected<Error> lease_lost(RunId run) {
  return fail(Errc::conflict, "the lease of run " + std::to_string(run.value) + " is no longer held", "lease",
              "drop the work and claim again");
}

void give_back(Connection& connection, RunId run, std::string_view why) {
  connection.run(
      "UPDATE jobs SET lease_sha256 = NULL, runner = '', claimed_at = NULL, expires_at = NULL "
      "WHERE run_id = ?",
      run);
  connection.run("UPDATE runs SET state = 'queued', progress = ? WHERE id = ?", why, run);
}

void give_up(Connection& connection, RunId run, Instant now) {
  connection.run(
      "UPDATE runs SET state = 'aborted', progress = '', conclusion = ?, reason = 'lost_runner', "
      "summary = ?, "
      "exit_code = ?, finished_at = ? WHERE id = ?",
      to_string(Conclusion::infrastructure),
      "The run was lost or given back " + std::to_string(limits::kClaimAttemptsMax) + " times by its runners.",
      exit_code(Conclusion::infrastructure), now, run);
  connection.run("DELETE FROM jobs WHERE run_id = ?", run);
}

}  // namespace

std::optional<ClaimedJob> claim_job(Connection& connection, const JobClaim& claim) {
  RunId run;
  {
    Statement oldest = connection.query(
        "SELECT run_id FROM jobs WHERE lease_sha256 IS NULL AND not_before <= ? AND (requires_gpu "
        "= 0 OR ? <> 0) "
        "AND (testbed = '' OR testbed = ?) ORDER BY run_id LIMIT 1",
        claim.now, claim.has_gpu, claim.testbed);
    if (!oldest.step()) return std::nullopt;
    run = oldest.id<RunId>(0);
  }
  connection.run(
      "UPDATE jobs SET lease_sha256 = ?, runner = ?, claimed_at = ?, expires_at = ? WHERE run_id = "
      "?",
      claim.lease_sha256, claim.runner, claim.now, claim.lease_until, run);
  connection.run("UPDATE processes SET superseded = 1 WHERE run_id = ? AND superseded = 0", run);
  Statement claimed = connection.query(
      "UPDATE runs SET state = 'claimed', progress = '', runner = ?, lease_sha256 = ?, generation "
      "= generation + 1, "
      "claims = claims + 1, epoch_id = ?, notices = '[]', started_at = coalesce(started_at, ?) "
      "WHERE id = ? "
      "RETURNING generation, claims",
      claim.runner, claim.lease_sha256, claim.epoch, claim.now, run);
  if (!claimed.step()) throw_corrupt("a job without a run");
  return ClaimedJob{
      .run = run, .generation = static_cast<int>(claimed.integer(0)), .claims = static_cast<int>(claimed.integer(1))};
}

LeaseState lease_state(Connection& connection, RunId run, std::string_view lease_sha256) {
  Statement row = connection.query(
      "SELECT r.state, coalesce(j.lease_sha256, '') = r.lease_sha256 FROM runs r LEFT JOIN jobs j "
      "ON j.run_id = r.id "
      "WHERE r.id = ? AND r.lease_sha256 = ? AND r.lease_sha256 <> ''",
      run, lease_sha256);
  if (!row.step()) return LeaseState::lost;
  if (row.boolean(1)) return LeaseState::held;
  const RunState state = known(parse_run_state(row.text(0)), row.text(0));
  if (state == RunState::cancelled) return LeaseState::cancelled;
  return state == RunState::done ? LeaseState::finished : LeaseState::lost;
}

Status renew_lease(Connection& connection, RunId run, std::string_view lease_sha256, Instant until) {
  connection.run("UPDATE jobs SET expires_at = ? WHERE run_id = ? AND lease_sha256 = ?", until, run, lease_sha256);
  if (connection.changes() == 0) return lease_lost(run);
  return {};
}

std::vector<ExpiredJob> expire_leases(Connection& connection, Instant before, Instant now) {
  std::vector<ExpiredJob> expired;
  {
    Statement row = connection.query(
        "UPDATE jobs SET lost_leases = lost_leases + 1 WHERE expires_at IS NOT NULL AND expires_at "
        "<= ? "
        "RETURNING run_id, lost_leases",
        before);
    while (row.step())
      expired.push_back({.run = row.id<RunId>(0), .gave_up = row.integer(1) >= limits::kClaimAttemptsMax});
  }
  for (const ExpiredJob& job : expired) {
    if (job.gave_up) {
      give_up(connection, job.run, now);
    } else {
      give_back(connection, job.run, "queued again: its runner was lost");
    }
  }
  return expired;
}

void extend_leases(Connection& connection, Instant until) {
  connection.run("UPDATE jobs SET expires_at = ? WHERE expires_at IS NOT NULL", until);
}

Status release_job(Connection& connection, RunId run, std::string_view lease_sha256, const JobRelease& release) {
  int ends = 0;
  {
    Statement row = connection.query(
        "UPDATE jobs SET requires_gpu = CASE WHEN ? <> 0 THEN 1 ELSE requires_gpu END, lost_leases = lost_leases + 1 "
        "WHERE run_id = ? AND lease_sha256 = ? RETURNING lost_leases",
        release.requires_gpu, run, lease_sha256);
    if (!row.step()) return lease_lost(run);
    ends = static_cast<int>(row.integer(0));
  }
  if (ends >= limits::kClaimAttemptsMax) {
    give_up(connection, run, release.now);
    return {};
  }
  const auto pause = ends > 1 ? limits::kReleasePause * (1 << (ends - 2)) : std::chrono::seconds(0);
  connection.run("UPDATE jobs SET not_before = ? WHERE run_id = ?", release.now + pause, run);
  give_back(connection, run, release.reason);
  return {};
}

}  // namespace kernelgate::db
