// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark's main line: one point a commit, in the order in which the commits were first judged. Points that were
// broken, crashed, timed out or invalid, and work trees that were never committed, are no part of it. Call inside a
// Database work.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/limits.hpp"
#include "core/wire/history.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct HistoryQuery {
  RepositoryId repository;
  std::string suite{}, benchmark{};
  std::string branch{};                    // empty: any (a local store knows no branches)
  std::optional<EpochId> epoch{};          // none: that of the newest point
  int points = limits::kHistoryPointsMax;  // the newest so many
};

// Points and epochs alone. An unknown benchmark has none.
[[nodiscard]] Result<wire::BenchmarkHistory> read_main_line(Connection& connection, const HistoryQuery& query);

// Medians of a benchmark's newest points on a branch, in the newest epoch there, oldest first; at most
// limits::kRecentPointsMax.
[[nodiscard]] std::vector<double> recent_levels(Connection& connection, std::int64_t benchmark,
                                                std::string_view branch);

}  // namespace kernelgate::db
