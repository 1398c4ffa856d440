// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ends of runs, with what follows from each: the ledger of attempts learns of it, and the run's bisection goes on.
// Nobody else ends a run. Private to service/; call inside a Database work.

#include <string_view>

#include "db/runs/runs.hpp"

namespace kernelgate::service {

// With a decision of its own.
[[nodiscard]] Status end_run(db::Connection& connection, RunId run, const db::FinishedRun& finished, Instant now);
// With the verdict of an earlier run.
[[nodiscard]] Status reuse_verdict(db::Connection& connection, RunId run, RunId original, Instant now);
// Without a conclusion; its lease is lost.
[[nodiscard]] Status stop_run(db::Connection& connection, RunId run, std::string_view reason, Instant now);
// What follows where the store has ended it already: its runner was lost too often.
void run_ended(db::Connection& connection, RunId run, Instant now);

}  // namespace kernelgate::service
