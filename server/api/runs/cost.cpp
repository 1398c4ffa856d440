// SPDX-License-Identifier: Apache-2.0
#include "service/runs/cost.hpp"

#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

std::string cost_json(const service::CostOfRun& found) {
  const RunCost& cost = found.cost;
  std::vector<std::string> benchmarks;
  for (const auto& comparison : found.comparisons) {
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

}  // namespace

Result<http::Answer> get_cost(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found = service::cost_of(context.store, *id);
  if (!found) return pass_on(found);
  return json(200, cost_json(*found));
}

}  // namespace kernelgate::api
