// SPDX-License-Identifier: Apache-2.0
#include "service/runs/cost.hpp"

#include "core/wire/codec.hpp"
#include "core/wire/run_parts.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

wire::Cost to_wire(const service::CostOfRun& found) {
  const RunCost& cost = found.cost;
  wire::Cost out{.gpu_s_held = cost.held_s,
                 .gpu_s_used = cost.used_s,
                 .seconds_saved = cost.saved_s,
                 .price_per_hour = cost.price_per_hour,
                 .cost_held = cost.money(cost.held_s),
                 .cost_used = cost.money(cost.used_s),
                 .benchmarks = {}};
  for (const Comparison& one : found.comparisons)
    if (one.gpu_s > 0)
      out.benchmarks.push_back(
          {.suite = one.suite, .benchmark = one.benchmark, .gpu_s = one.gpu_s, .cost = cost.money(one.gpu_s)});
  return out;
}

}  // namespace

Result<http::Answer> get_cost(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found = service::cost_of(context.store, *id);
  if (!found) return pass_on(found);
  return json(200, wire::encode(to_wire(*found)));
}

}  // namespace kernelgate::api
