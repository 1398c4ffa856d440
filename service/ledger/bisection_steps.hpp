// SPDX-License-Identifier: Apache-2.0
#pragma once

// How bisections and backfills go on: when the run of a step ends, the next is queued in the same transaction, so a
// restart loses nothing and runners need to know nothing. Private to service/; call inside a Database work.

#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/wire/bisections.hpp"
#include "db/ledger/bisections.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// Queues the first step. Fills in the suite where the benchmark's name says which. Errors: invalid (no hash, one commit
// twice), not_found (the benchmark was never measured), conflict (the same is under way), too_many (bisections or
// queued runs). Logged as bisection.start.
[[nodiscard]] Result<db::BisectionId> begin_bisection(db::Connection& connection, db::NewBisection wanted,
                                                      int queued_max, Instant now);

// Also cancels the run that is under way. conflict: it is over. Logged as bisection.cancel.
[[nodiscard]] Status stop_bisection(db::Connection& connection, db::BisectionId id, const std::string& actor,
                                    Instant now);

// Queues the next step of the run's bisection, or ends it; nothing happens to a run of none.
void bisection_run_ended(db::Connection& connection, RunId run, Instant now);

struct Backfill {
  RepositoryId repository;
  std::vector<std::string> commits;
  int limit = 0;
  std::string actor;
  int queued_max = limits::kQueuedRunsMax;
};
// Runs of commits that were never measured, against their parents. Logged as backfill.
[[nodiscard]] Result<wire::BackfillReply> queue_backfill(db::Connection& connection, const Backfill& wanted,
                                                         Instant now);

}  // namespace kernelgate::service
