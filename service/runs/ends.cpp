// SPDX-License-Identifier: Apache-2.0
#include "service/runs/ends.hpp"

#include "service/ledger/attempt_record.hpp"
#include "service/ledger/bisection_steps.hpp"

namespace kernelgate::service {

Status end_run(db::Connection& connection, RunId run, const db::FinishedRun& finished, Instant now) {
  if (const Status done = db::finish_run(connection, run, finished, now); !done) return done;
  run_ended(connection, run, now);
  return {};
}

Status reuse_verdict(db::Connection& connection, RunId run, RunId original, Instant now) {
  if (const Status done = db::finish_reused(connection, run, original, now); !done) return done;
  run_ended(connection, run, now);
  return {};
}

Status stop_run(db::Connection& connection, RunId run, std::string_view reason, Instant now) {
  if (const Status done = db::cancel_run(connection, run, reason, now); !done) return done;
  run_ended(connection, run, now);
  return {};
}

void run_ended(db::Connection& connection, RunId run, Instant now) {
  record_attempt(connection, run);
  bisection_run_ended(connection, run, now);
}

}  // namespace kernelgate::service
