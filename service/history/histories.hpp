// SPDX-License-Identifier: Apache-2.0
#pragma once

// Histories of benchmarks, for those who name a repository or have only one.

#include <string>
#include <vector>

#include "core/wire/history.hpp"
#include "db/history/benchmark_history.hpp"
#include "db/repositories/repositories.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::HistoryQuery;
using db::Repository;

// `name` empty: the only one. invalid: there are several, or none.
[[nodiscard]] Result<Repository> find_repository(Store store, const std::string& name);

// All that were ever measured.
[[nodiscard]] Result<std::vector<wire::BenchmarkName>> benchmark_names(Store store, RepositoryId repository);

[[nodiscard]] Result<wire::BenchmarkHistory> benchmark_history(Store store, const HistoryQuery& query);

}  // namespace kernelgate::service
