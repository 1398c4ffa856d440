// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sessions of promoted baselines: runs of source "remeasure" that time a baseline's commit alone. Those of the commit
// and epoch that passed undisturbed are what head may be compared with. Call inside a Database work.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "db/baselines/baselines.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

inline constexpr std::string_view kSessionSource = "remeasure";

// Of the newest present baseline of this epoch; empty: there is none. At most limits::kSessionsMax of each benchmark,
// fewer (but never below 20) where the suites are so large that a claim would grow too long.
[[nodiscard]] std::vector<StoredSessions> stored_sessions(Connection& connection, RepositoryId repository,
                                                          EpochId epoch);

// Commit of the newest present anchored baseline of this epoch; empty: there is none.
[[nodiscard]] std::string anchor_commit(Connection& connection, RepositoryId repository, EpochId epoch);

// Present baselines, newest first, one for each commit and testbed; `name` empty: any.
struct Remeasurable {
  Baseline baseline;
  std::string testbed;
  std::string why_not;  // not empty: its epoch is over, or a session of it is queued or under way
};
[[nodiscard]] std::vector<Remeasurable> remeasurable(Connection& connection, RepositoryId repository,
                                                     std::string_view name);

// What a session of this baseline asks for as a run; the caller adds it, queued or not.
[[nodiscard]] NewRun session_run(const Baseline& baseline, int processes, std::uint64_t seed);
// Binds a queued session to the baseline's testbed: elsewhere it would be worth nothing.
void bind_session(Connection& connection, RunId run, const std::string& testbed);

[[nodiscard]] bool is_session(Connection& connection, RunId run);

}  // namespace kernelgate::db
