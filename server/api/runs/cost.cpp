// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/cost: its seconds, its processes and the price that they carry.
#include "core/decision/evidence/cost.hpp"
#include "core/decision/evidence/policy.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

std::string to_json(const RunCost& cost, const std::vector<Comparison>& comparisons) {
  std::vector<std::string> benchmarks;
  for (const auto& comparison : comparisons) {
    if (comparison.gpu_s <= 0) continue;
    benchmarks.push_back(JsonObject{}
                             .add("suite", comparison.suite)
                             .add("benchmark", comparison.benchmark)
                             .add("gpu_s", comparison.gpu_s)
                             .add("cost", cost.money(comparison.gpu_s))
                             .str());
  }
  return JsonObject{}
      .add("gpu_s_held", cost.held_s)
      .add("gpu_s_used", cost.used_s)
      .add("seconds_saved", cost.saved_s)
      .add("price_per_hour", cost.price_per_hour)
      .add("cost_held", cost.money(cost.held_s))
      .add("cost_used", cost.money(cost.used_s))
      .raw("benchmarks", json_array(benchmarks))
      .str();
}

// A run that has another's verdict cost nothing itself.
RunCost cost_of(db::Connection& connection, const db::Run& run) {
  RunCost out{.held_s = run.gpu_s_held, .used_s = run.gpu_s_used, .price_per_hour = {}};
  const auto processes = db::evidence_processes(connection, run.id);
  out.price_per_hour = db::price_per_hour(connection, run.id);
  if (run.conclusion)
    out.saved_s = seconds_saved(processes, static_cast<int>(figure_of(run.policy, "max_pairs")),
                                figure_of(run.policy, "gpu_seconds"));
  return out;
}

}  // namespace

Result<http::Answer> get_cost(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto body = context.database.read([&](db::Connection& connection) -> Result<std::string> {
    const auto run = db::get_run(connection, *id);
    if (!run) return pass_on(run);
    return to_json(cost_of(connection, *run), db::list_comparisons(connection, *id));
  });
  if (!body) return pass_on(body);
  return json(200, *body);
}

}  // namespace kernelgate::api
