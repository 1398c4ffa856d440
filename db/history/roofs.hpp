// SPDX-License-Identifier: Apache-2.0
#pragma once

// What limits a benchmark: the rates that were measured on a run's GPU, and the least time of the work that a suite
// states. Call inside a Database work.

#include <optional>

#include "core/decision/evidence/evidence.hpp"
#include "core/wire/history.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// Of the evidence of a finished run; nothing where the GPU was not characterized.
[[nodiscard]] std::optional<Ceilings> ceilings_of(Connection& connection, RunId run);

// Of the newest point's run; nothing where its suite states no work, or its processes were thinned out.
[[nodiscard]] std::optional<wire::HistoryWork> work_of(Connection& connection, RepositoryId repository,
                                                       const wire::BenchmarkHistory& history);

}  // namespace kernelgate::db
