// SPDX-License-Identifier: Apache-2.0
#pragma once

// What people do to a run that is not finished. Each is logged, and answers with the run as it stands then.

#include <string>

#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// Logged as run.cancel. conflict: the run is finished.
[[nodiscard]] Result<db::Run> cancel(Store store, RunId run, const std::string& actor, Instant now);
// Of a local run, by the process that made it: nobody else acts on it, so nothing is logged.
[[nodiscard]] Status cancel_local(Store store, RunId run, const std::string& reason, Instant now);

// A held run of a fork is queued, or ends. Logged as run.approve and run.refuse. conflict: it is not held.
[[nodiscard]] Result<db::Run> approve(Store store, RunId run, const std::string& actor, Instant now);
[[nodiscard]] Result<db::Run> refuse(Store store, RunId run, const std::string& reason, const std::string& actor,
                                     Instant now);

}  // namespace kernelgate::service
