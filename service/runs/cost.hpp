// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run cost, from what is stored of it: its seconds, its processes and the price that they carry.

#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/cost.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// A run that has another's verdict cost nothing itself. Call inside a Database work.
[[nodiscard]] RunCost cost_of(db::Connection& connection, const db::Run& run);

struct CostOfRun {
  RunCost cost;
  std::vector<Comparison> comparisons;  // each with the seconds that it took
};
[[nodiscard]] Result<CostOfRun> cost_of(Store store, RunId run);

}  // namespace kernelgate::service
