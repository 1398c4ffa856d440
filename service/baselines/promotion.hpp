// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs that become baselines. Private to service/; call inside a Database work.

#include "db/baselines/baselines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// conflict: the run is not done, did not pass, was reused, has no timed series of head, holds a
// regressed, undecided or failed comparison, holds a disturbed process, is a session of a baseline, or its epoch is
// over; or it was promoted in the same words before. Logged as baseline.promote.
[[nodiscard]] Result<BaselineId> promote_run(db::Connection& connection, const db::Promotion& promotion, Instant now);

}  // namespace kernelgate::service
