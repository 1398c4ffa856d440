// SPDX-License-Identifier: Apache-2.0
#pragma once

// Histories of benchmarks, for those who name a repository or have only one. not_found: no such repository.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/history.hpp"
#include "db/history/history.hpp"
#include "db/history/main_line.hpp"
#include "db/repositories/repositories.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::HistoryPoint;
using db::HistoryQuery;
using db::Repository;

// `name` empty: the only one. invalid: there are several, or none.
[[nodiscard]] Result<Repository> find_repository(Store store, const std::string& name);

// Newest first, each with its newest levels on the default branch.
[[nodiscard]] Result<wire::BenchmarkPage> list_benchmarks(Store store, std::string_view repository, const Page& page);
// All that were ever measured.
[[nodiscard]] Result<std::vector<wire::BenchmarkName>> benchmark_names(Store store, RepositoryId repository);

// Points, what they say together, and where they stand against the anchored baseline. An unknown benchmark has none.
// The first: inside a Database work.
[[nodiscard]] Result<wire::BenchmarkHistory> benchmark_history(db::Connection& connection, const HistoryQuery& query);
[[nodiscard]] Result<wire::BenchmarkHistory> benchmark_history(Store store, const HistoryQuery& query);

struct BenchmarkWanted {
  std::string repository, suite, benchmark;
  std::optional<std::string> branch{};
  std::optional<EpochId> epoch{};
};
// Of the default branch where none is named; the newest `points`.
[[nodiscard]] Result<wire::BenchmarkHistory> benchmark_history(Store store, const BenchmarkWanted& wanted, int points);
// Of any branch where none is named; one point a run, newest first.
[[nodiscard]] Result<std::vector<HistoryPoint>> list_points(Store store, const BenchmarkWanted& wanted,
                                                            const Page& page);

}  // namespace kernelgate::service
