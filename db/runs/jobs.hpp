// SPDX-License-Identifier: Apache-2.0
#pragma once

// The queue: one job per unfinished queued run, oldest first. A claim takes a job under a lease; a
// lease that expires gives the job back, kClaimAttemptsMax times, then the run is aborted as
// infrastructure. Leases are known by the SHA-256 of their secret. A finished or cancelled run has
// no job. Call inside a Database work.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/limits.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct JobClaim {
  std::string runner{};
  std::string testbed{};  // jobs bound to another testbed do not fit
  bool has_gpu = false;
  std::string lease_sha256{};
  std::optional<EpochId> epoch{};
  Instant now{};
  Instant lease_until{};  // by the clock that expires leases
};
struct ClaimedJob {
  RunId run;
  int generation = 1;  // processes stored under earlier ones are now superseded
  int claims = 1;
};

// The oldest job that fits, or none. The run becomes `claimed`.
[[nodiscard]] std::optional<ClaimedJob> claim_job(Connection& connection, const JobClaim& claim);

// `held` also after expires_at, until somebody expires it: a runner that comes back in time keeps
// its work.
enum class LeaseState { held, lost, cancelled, finished };
[[nodiscard]] LeaseState lease_state(Connection& connection, RunId run, std::string_view lease_sha256);

// conflict: the lease is not held.
[[nodiscard]] Status renew_lease(Connection& connection, RunId run, std::string_view lease_sha256, Instant until);

struct ExpiredJob {
  RunId run;
  bool gave_up = false;  // the run is aborted; else queued again
};
// `before`: of the leases' clock; `now`: when the runs that are given up end.
std::vector<ExpiredJob> expire_leases(Connection& connection, Instant before, Instant now);

// After the server itself was away: every lease ends at `until`.
void extend_leases(Connection& connection, Instant until);

struct JobRelease {
  std::string reason{};
  bool requires_gpu = false;  // learnt by the runner: only one with a GPU fits
  Instant now{};
};
// Back to the queue by its holder; from the second time on it waits there, longer each time, so that others come
// first. A run lost or given back limits::kClaimAttemptsMax times ends as infrastructure. conflict: the lease is not
// held.
[[nodiscard]] Status release_job(Connection& connection, RunId run, std::string_view lease_sha256,
                                 const JobRelease& release);

}  // namespace kernelgate::db
