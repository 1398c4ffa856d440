// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: the pieces that finish_run writes in one transaction, and the small look-ups they
// share.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// The row of a benchmark, made on first sight.
[[nodiscard]] std::int64_t benchmark_row(Connection& connection, RepositoryId repository, std::string_view suite,
                                         std::string_view name);

void write_comparisons(Connection& connection, RunId run, RepositoryId repository, std::optional<EpochId> epoch,
                       std::span<const Comparison> comparisons);
void write_checks(Connection& connection, RunId run, std::span<const CheckCase> checks);
// After the comparisons: one history point per benchmark that head was timed for.
void write_history(Connection& connection, RunId run, Instant finished_at);

[[nodiscard]] Trust trust_of(const wire::PullRequest& pull_request);

// What guards every change of a run.
struct RunHead {
  RepositoryId repository;
  RunState state;
  int generation;
  std::optional<EpochId> epoch;
};
[[nodiscard]] Result<RunHead> run_head(Connection& connection, RunId id);
// The same, and conflict when the run is finished.
[[nodiscard]] Result<RunHead> unfinished_run(Connection& connection, RunId id);

// The run's notices with `more` added, each once, as its column holds them.
[[nodiscard]] std::string merged_notices(Connection& connection, RunId id, const std::vector<std::string>& more);

}  // namespace kernelgate::db
