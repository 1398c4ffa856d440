// SPDX-License-Identifier: Apache-2.0
#include "server/api/history/findings.hpp"

#include <utility>

#include "db/runs/comparisons.hpp"

namespace kernelgate::api {
RunFindings findings_of(db::Connection& connection, RunId run) {
  RunDecision decision = db::stored_decision(connection, run);
  return {.workloads = std::move(decision.workloads), .regions = std::move(decision.regions)};
}

}  // namespace kernelgate::api
