// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sessions of promoted baselines: which baselines can be timed anew, what such a run asks for, and what a claim carries
// of those that stand. Private to service/; call inside a Database work.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "db/baselines/sessions.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

struct Remeasurable {
  db::Baseline baseline;
  std::string testbed;
  std::string why_not;  // not empty: its epoch is over, or a session of it is queued or under way
};
// Present baselines, newest first, one for each commit and epoch; `name` empty: any.
[[nodiscard]] std::vector<Remeasurable> remeasurable(db::Connection& connection, RepositoryId repository,
                                                     std::string_view name);

// What a session of this baseline asks for as a run; the caller adds it, queued or not.
[[nodiscard]] db::NewRun session_run(const db::Baseline& baseline, int processes, std::uint64_t seed);

// Drops the oldest sessions, but leaves 20, where there is more than a claim should carry.
void shorten(std::vector<StoredSessions>& all);
// What is stored of the newest present baseline, as short as that.
[[nodiscard]] std::vector<StoredSessions> claimed_sessions(db::Connection& connection, RepositoryId repository,
                                                           EpochId epoch);

}  // namespace kernelgate::service
