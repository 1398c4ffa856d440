// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: what the end of a run does to the bisection that it belongs to.

#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// Called in the transaction that ends a run; nothing happens to a run of no bisection.
void bisection_run_ended(Connection& connection, RunId run, Instant now);

// Queues the next step, or ends the bisection. too_many: the first step found the queue full.
[[nodiscard]] Status advance_bisection(Connection& connection, std::int64_t bisection, int queued_max, Instant now);

// A run of source "bisect" or "backfill".
[[nodiscard]] NewRun search_run(RepositoryId repository, const std::string& commit, const std::string& base);

}  // namespace kernelgate::db
