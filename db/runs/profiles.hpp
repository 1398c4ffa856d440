// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles that people asked for: a queue beside that of the runs. A runner of the run's testbed takes one under a
// lease; one whose runner is lost is given to the next, limits::kProfileClaimsMax times. Nothing of it changes a
// verdict. Call inside a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/profiles.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

using ProfileId = Strong<struct ProfileTag, std::int64_t>;

// conflict: the run is not finished, has no base or no testbed, or the same is under way. not_found: the run timed no
// such benchmark. Logged as profile.ask.
[[nodiscard]] Result<ProfileId> ask_profile(Connection& connection, const Run& run, const wire::ProfileRequest& wanted,
                                            const std::string& actor, Instant now);

// What the profiler counted while the run itself was measured: of what regressed, both sides.
struct Counted {
  std::string suite;
  std::string profile;  // a KernelProfile as JSON, as its runner sent it
};
[[nodiscard]] std::vector<Counted> counters_of(Connection& connection, RunId run);

[[nodiscard]] Result<wire::Profile> get_profile(Connection& connection, ProfileId id);
[[nodiscard]] wire::ProfileList list_profiles(Connection& connection, RunId run);

// Whether a runner of this testbed would get one.
[[nodiscard]] bool profile_waits(Connection& connection, const std::string& testbed, Instant now);

struct ProfileTaker {
  std::string runner, testbed, lease_sha256;
};
// Without the lease's secret. Logged as profile.claim.
[[nodiscard]] std::optional<wire::ProfileClaim> claim_profile(Connection& connection, const ProfileTaker& taker,
                                                              Instant now);

// conflict: the lease is not held. Logged as profile.end, unless it goes back to the queue.
[[nodiscard]] Status end_profile(Connection& connection, ProfileId id, const std::string& lease_sha256,
                                 const wire::ProfileEnd& end, Instant now);

}  // namespace kernelgate::db
