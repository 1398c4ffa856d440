// SPDX-License-Identifier: Apache-2.0
#include "service/runs/cost.hpp"

#include "core/decision/evidence/policy.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"

namespace kernelgate::service {
RunCost cost_of(db::Connection& connection, const db::Run& run) {
  RunCost out{.held_s = run.gpu_s_held, .used_s = run.gpu_s_used, .price_per_hour = {}};
  const auto processes = db::evidence_processes(connection, run.id);
  out.price_per_hour = db::price_per_hour(connection, run.id);
  if (run.conclusion)
    out.saved_s = seconds_saved(processes, static_cast<int>(figure_of(run.policy, "max_pairs")),
                                figure_of(run.policy, "gpu_seconds"));
  return out;
}

Result<CostOfRun> cost_of(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<CostOfRun> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return CostOfRun{.cost = cost_of(connection, *run), .comparisons = db::list_comparisons(connection, id)};
  });
}

}  // namespace kernelgate::service
