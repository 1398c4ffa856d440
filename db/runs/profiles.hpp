// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of the queue of profiles that people asked for. Who may ask and who gets one is decided above. Call inside a
// Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/profiles.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

using ProfileId = Strong<struct ProfileTag, std::int64_t>;

// The row of a benchmark that the run compared.
[[nodiscard]] std::optional<std::int64_t> compared_benchmark(Connection& connection, RunId run,
                                                             const std::string& suite, const std::string& benchmark);
// Unfinished ones of the run's repository, and among them those of this benchmark of the run.
struct WaitingProfiles {
  std::int64_t of_repository = 0, of_benchmark = 0;
};
[[nodiscard]] WaitingProfiles waiting_profiles(Connection& connection, const Run& run, std::int64_t benchmark);
[[nodiscard]] ProfileId add_profile(Connection& connection, RunId run, std::int64_t benchmark, const std::string& actor,
                                    const std::string& text, Instant now);

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

// The first that fits a runner of this testbed: queued, or of a runner that is lost.
[[nodiscard]] std::optional<ProfileId> next_profile(Connection& connection, const std::string& testbed, Instant now);
// Given out limits::kProfileClaimsMax times, the last time to a runner that is lost too.
[[nodiscard]] std::vector<wire::Profile> lost_profiles(Connection& connection, Instant now);

struct ProfileLease {
  std::string runner, sha256;
  Instant expires_at{};
};
void put_claim(Connection& connection, ProfileId id, const ProfileLease& lease, const std::string& text);
[[nodiscard]] bool holds_profile(Connection& connection, ProfileId id, const std::string& lease_sha256);
// Back to the queue, as if it had not been given out.
void queue_again(Connection& connection, ProfileId id, const std::string& text);
void put_profile_end(Connection& connection, ProfileId id, wire::ProfileState state, const wire::ProfileEnd& end,
                     Instant now);

}  // namespace kernelgate::db
