// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles of a finished run that people ask for, and the runners that make them; and what was counted while the run
// itself was measured. They are a queue beside that of the runs: a runner of the run's testbed takes one under a lease;
// one whose runner is lost is given to the next, limits::kProfileClaimsMax times. Nothing of it changes a verdict.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/messages.hpp"
#include "core/wire/profiles.hpp"
#include "db/runs/profiles.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::Counted;
using db::ProfileId;

[[nodiscard]] Result<std::vector<Counted>> counters_of(Store store, RunId run);
[[nodiscard]] Result<wire::ProfileList> list_profiles(Store store, RunId run);

// conflict: the run is not finished, has no base or no testbed, or the same is under way. not_found: the run timed no
// such benchmark. too_many. Logged as profile.ask.
[[nodiscard]] Result<wire::Profile> ask_profile(Store store, RunId run, const wire::ProfileRequest& wanted,
                                                const std::string& actor, Instant now);
// Whether a runner of this testbed would get one.
[[nodiscard]] bool profile_waits(Store store, const std::string& testbed, Instant now);
// With the lease's secret, which is worth something under this token alone. Logged as profile.claim.
[[nodiscard]] Result<std::optional<wire::ProfileClaim>> claim_profile(Store store, const wire::ClaimRequest& wanted,
                                                                      std::int64_t token, Instant now);
// conflict: the lease is not held. Logged as profile.end, unless it goes back to the queue.
[[nodiscard]] Result<wire::Profile> end_profile(Store store, ProfileId profile, const wire::ProfileEnd& end,
                                                std::int64_t token, Instant now);

}  // namespace kernelgate::service
