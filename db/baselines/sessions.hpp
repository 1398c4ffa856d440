// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sessions of promoted baselines: runs of source "remeasure" that time a baseline's commit alone. Those of the commit
// and epoch that passed undisturbed are what head may be compared with. Call inside a Database work.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "db/baselines/baselines.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

inline constexpr std::string_view kSessionSource = "remeasure";

// Of the newest present baseline of this epoch; empty: there is none. At most limits::kSessionsMax of each benchmark.
[[nodiscard]] std::vector<StoredSessions> stored_sessions(Connection& connection, RepositoryId repository,
                                                          EpochId epoch);

// Commit of the newest present anchored baseline of this epoch; empty: there is none.
[[nodiscard]] std::string anchor_commit(Connection& connection, RepositoryId repository, EpochId epoch);

// Newest first; `name` empty: any.
[[nodiscard]] std::vector<Baseline> present_baselines(Connection& connection, RepositoryId repository,
                                                      std::string_view name);
// A session of the baseline's commit that is queued or under way.
[[nodiscard]] std::optional<RunId> unfinished_session(Connection& connection, const Baseline& baseline);

// Binds a queued session to the baseline's testbed: elsewhere it would be worth nothing.
void bind_session(Connection& connection, RunId run, const std::string& testbed);

[[nodiscard]] bool is_session(Connection& connection, RunId run);

}  // namespace kernelgate::db
