// SPDX-License-Identifier: Apache-2.0
#include "service/runs/cost.hpp"

#include <cstdlib>

#include "db/ledger/attempts.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"

namespace kernelgate::service {
namespace {

// A figure of a policy's canonical text: " max_pairs=16".
double figure_of(const std::string& policy, const std::string& key) {
  const auto at = policy.find(" " + key + "=");
  return at == std::string::npos ? 0 : std::strtod(policy.c_str() + at + key.size() + 2, nullptr);
}

}  // namespace

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
