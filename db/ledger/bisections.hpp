// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bisections as a state machine in the store: each step is an ordinary run with an explicit base; when it ends, the
// next is queued in the same transaction, so a restart loses nothing and runners need to know nothing. And backfills:
// runs of commits that were never measured, against their parents. Call inside a Database work.

#include <string>
#include <vector>

#include "core/bisect/search.hpp"
#include "core/units/limits.hpp"
#include "core/wire/bisections.hpp"
#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

using BisectionId = Strong<struct BisectionTag, std::int64_t>;

struct NewBisection {
  RepositoryId repository;
  bisect::Target target;
  std::vector<std::string> commits;  // full hashes: good, …, bad
  std::string actor;
  int queued_max = limits::kQueuedRunsMax;
};

// Looks for each fault of the request. Errors: invalid (no hash, one commit twice), not_found (the benchmark was never
// measured), conflict (the same is under way), too_many (bisections or queued runs).
[[nodiscard]] Result<BisectionId> start_bisection(Connection& connection, NewBisection wanted, Instant now);

// Also cancels the run that is under way. conflict: it is over.
[[nodiscard]] Status cancel_bisection(Connection& connection, BisectionId id, const std::string& actor, Instant now);

[[nodiscard]] Result<wire::Bisection> get_bisection(Connection& connection, BisectionId id);
[[nodiscard]] std::vector<wire::Bisection> list_bisections(Connection& connection, RepositoryId repository,
                                                           const Page& page = {});
// The run of its newest step.
[[nodiscard]] std::optional<RunId> run_under_way(Connection& connection, BisectionId id);

// The commits of `line` but the first that have no finished run as head which says something, newest first.
[[nodiscard]] std::vector<std::size_t> never_measured(Connection& connection, RepositoryId repository,
                                                      const std::vector<std::string>& line);

struct Backfill {
  RepositoryId repository;
  std::vector<std::string> commits;
  int limit = 0;
  std::string actor;
  int queued_max = limits::kQueuedRunsMax;
};
[[nodiscard]] Result<wire::BackfillReply> backfill(Connection& connection, const Backfill& wanted, Instant now);

}  // namespace kernelgate::db
