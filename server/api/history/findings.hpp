// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run found beside its comparisons: workloads and regions, as its stored decision has them.

#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::api {

struct RunFindings {
  std::vector<WorkloadResult> workloads;
  std::vector<RegionResult> regions;
};

// Empty where the run has no stored decision yet. `run` is the one that was measured, not one that reuses its verdict.
[[nodiscard]] RunFindings findings_of(db::Connection& connection, RunId run);

}  // namespace kernelgate::api
