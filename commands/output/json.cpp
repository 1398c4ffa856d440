// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "commands/output/report.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/report_document.hpp"

namespace kernelgate::report {
namespace {

wire::PrintedCost printed(const RunCost& cost) {
  return {.gpu_s_held = cost.held_s,
          .gpu_s_used = cost.used_s,
          .seconds_saved = cost.saved_s,
          .price_per_hour = cost.price_per_hour,
          .cost_held = cost.money(cost.held_s),
          .cost_used = cost.money(cost.used_s)};
}

wire::PrintedLive printed(const LiveStop& live) {
  return {.pairs = live.pairs,
          .processes = live.processes(),
          .given_pairs = live.given,
          .given_processes = 2 * live.given,
          .open = live.open};
}

// JSON has no infinity: a bound that is none is left out.
Comparison finite(Comparison comparison) {
  for (std::optional<double>* figure :
       {&comparison.ratio, &comparison.ratio_low, &comparison.ratio_high, &comparison.hl_ratio, &comparison.hl_low,
        &comparison.hl_high, &comparison.minimum_detectable, &comparison.pair_sd})
    if (*figure && !std::isfinite(**figure)) figure->reset();
  return comparison;
}

}  // namespace

std::string to_json(const Report& report) {
  const RunDecision& decision = report.decision;
  wire::ReportDocument out{.conclusion = decision.conclusion,
                           .exit_code = exit_code(decision.conclusion),
                           .title = report.title,
                           .reason = decision.reason,
                           .summary = decision.summary,
                           .notices = decision.notices,
                           .expected_false_alarms = decision.expected_false_alarms,
                           .gpu_s = report.gpu_s,
                           .wall_s = report.wall_s,
                           .cost = {},
                           .comparisons = {},
                           .live = {},
                           .workloads = decision.workloads,
                           .regions = decision.regions};
  if (report.cost) out.cost = printed(*report.cost);
  if (report.live) out.live = printed(*report.live);
  for (const Comparison& comparison : decision.comparisons)
    out.comparisons.push_back({finite(comparison), report.live ? live_pair(comparison, report.policy) : std::nullopt});
  return wire::print(out);
}

}  // namespace kernelgate::report
