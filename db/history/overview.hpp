// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands now: the state of each repository on each testbed, what is slower or broken and since when, who measures,
// and what it cost. Looks at the newest kRunsLookedAt runs only, so its time does not grow with the store. Call inside
// a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/overview.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

inline constexpr std::int64_t kRunsLookedAt = 5000;
inline constexpr int kRecentRuns = 16;  // of a repository on a testbed

using wire::BrokenKernel, wire::FailureSeen, wire::OpenRegression, wire::RecentRun, wire::RunnerSeen, wire::Spent;

[[nodiscard]] std::vector<RecentRun> recent_runs(Connection& connection);
[[nodiscard]] std::vector<OpenRegression> open_regressions(Connection& connection, Instant now);
[[nodiscard]] std::vector<BrokenKernel> broken_kernels(Connection& connection);
[[nodiscard]] std::vector<RunnerSeen> runners_seen(Connection& connection);
[[nodiscard]] Spent spent_since(Connection& connection, Instant since);

// How far an unfinished run is, and how long those before it took.
struct RunPace {
  int pairs = 0;                     // both sides of which are stored
  std::optional<double> expected_s;  // median of the last finished ones of the repository
};
[[nodiscard]] RunPace pace_of(Connection& connection, RunId run);

// Runs in which a failure of this fingerprint was found, newest first.
[[nodiscard]] std::vector<FailureSeen> failures_seen(Connection& connection, RepositoryId repository,
                                                     std::string_view fingerprint, int limit);

}  // namespace kernelgate::db
