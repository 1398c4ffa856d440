// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run of the default branch adds to its benchmarks' histories, as notices of that run: creep that goes on, and
// changes of level that its points confirmed, and one line on where it stands against the anchored baseline. Never a
// verdict. Call inside a Database work, before the run is finished.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::service {

// Empty for a run of any other branch.
[[nodiscard]] Result<std::vector<std::string>> trend_notices(db::Connection& connection, const db::Run& run,
                                                             const RunDecision& decision);

}  // namespace kernelgate::service
