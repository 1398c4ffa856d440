// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "commands/output/report.hpp"

namespace kernelgate::report {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json look_json(const Look& look) {
  return {{"pairs", look.pairs},
          {"mean", number(look.mean)},
          {"se", number(look.se)},
          {"degrees", number(look.degrees)},
          {"used_stored", look.used_stored},
          {"verdict", to_string(look.verdict)}};
}

Json distribution_json(const DistributionChange& change) {
  return {{"kind", change.kind},
          {"base_share", number(change.base_share)},
          {"head_share", number(change.head_share)},
          {"distance", number(change.distance)},
          {"p", number(change.p)},
          {"low_ns", number(change.low_ns)},
          {"high_ns", number(change.high_ns)},
          {"base_counts", change.base_counts},
          {"head_counts", change.head_counts}};
}

Json pinned_json(const PinnedResult& pinned) {
  return {{"pinned", to_string(pinned.pinned)},
          {"configuration", pinned.configuration},
          {"pairs", pinned.pairs},
          {"ratio", number(pinned.ratio)},
          {"ratio_low", number(pinned.ratio_low)},
          {"ratio_high", number(pinned.ratio_high)},
          {"verdict", to_string(pinned.verdict)},
          {"failure", pinned.failure}};
}

Json comparison_json(const Comparison& c) {
  Json out{{"suite", c.suite},
           {"benchmark", c.benchmark},
           {"verdict", to_string(c.verdict)},
           {"severity", to_string(c.severity)},
           {"ratio", number(c.ratio)},
           {"ratio_low", number(c.ratio_low)},
           {"ratio_high", number(c.ratio_high)},
           {"hl_ratio", number(c.hl_ratio)},
           {"hl_low", number(c.hl_low)},
           {"hl_high", number(c.hl_high)},
           {"cliffs_delta", number(c.cliffs_delta)},
           {"mwu_p", number(c.mwu_p)},
           {"q_value", number(c.q_value)},
           {"pairs", c.pairs},
           {"round", c.round},
           {"pair_sd", number(c.pair_sd)},
           {"minimum_detectable", number(c.minimum_detectable)},
           {"base_median_ns", number(c.base_median_ns)},
           {"head_median_ns", number(c.head_median_ns)},
           {"tolerate", number(c.tolerate)},
           {"catch", number(c.catch_limit)},
           {"gpu_s", number(c.gpu_s)},
           {"against", to_string(c.against)},
           {"acknowledged", c.acknowledged},
           {"quarantined", c.quarantined},
           {"fingerprint", c.fingerprint},
           {"reason", c.reason}};
  out["looks"] = Json::array();
  for (const Look& look : c.looks) out["looks"].push_back(look_json(look));
  out["error_factor"] = number(c.error_factor);
  out["code_changes"] = c.code_changes;
  out["counter_changes"] = c.counter_changes;
  out["roof"] = c.roof ? Json{{"intensity", number(c.roof->intensity)},
                              {"fraction", number(c.roof->fraction)},
                              {"roof", c.roof->roof}}
                       : Json(nullptr);
  out["base_configuration"] = c.base_configuration;
  out["head_configuration"] = c.head_configuration;
  out["pinned"] = Json::array();
  for (const PinnedResult& pinned : c.pinned) out["pinned"].push_back(pinned_json(pinned));
  out["attribution"] = c.attribution;
  out["distribution"] = c.distribution ? distribution_json(*c.distribution) : Json(nullptr);
  return out;
}

Json live_json(const LiveStop& live) {
  return {{"pairs", live.pairs},
          {"processes", live.processes()},
          {"given_pairs", live.given},
          {"given_processes", 2 * live.given},
          {"open", live.open}};
}

Json workload_json(const WorkloadResult& workload) {
  return {{"suite", workload.suite},           {"name", workload.name},       {"verdict", to_string(workload.verdict)},
          {"ratio", number(workload.ratio)},   {"low", number(workload.low)}, {"high", number(workload.high)},
          {"benchmarks", workload.benchmarks}, {"timed", workload.timed},     {"gains", workload.gains},
          {"losses", workload.losses}};
}

Json region_json(const RegionResult& region) {
  return {{"suite", region.suite},
          {"text", region.text},
          {"verdict", to_string(region.verdict)},
          {"members", region.members},
          {"moved", region.moved},
          {"others_moved", region.others_moved},
          {"median_ratio", number(region.median_ratio)}};
}

}  // namespace

std::string to_json(const Report& report) {
  const RunDecision& decision = report.decision;
  Json out{{"schema", 1},
           {"conclusion", to_string(decision.conclusion)},
           {"exit_code", exit_code(decision.conclusion)},
           {"title", report.title},
           {"reason", decision.reason},
           {"summary", decision.summary},
           {"notices", decision.notices},
           {"expected_false_alarms", number(decision.expected_false_alarms)},
           {"gpu_s", number(report.gpu_s)},
           {"wall_s", number(report.wall_s)}};
  out["cost"] = nullptr;
  if (const auto& cost = report.cost)
    out["cost"] = {{"held_s", cost->held_s},
                   {"used_s", cost->used_s},
                   {"saved_s", cost->saved_s},
                   {"price_per_hour", number(cost->price_per_hour)},
                   {"held", number(cost->money(cost->held_s))},
                   {"used", number(cost->money(cost->used_s))}};
  out["comparisons"] = Json::array();
  for (const Comparison& c : decision.comparisons) {
    Json& one = out["comparisons"].emplace_back(comparison_json(c));
    if (!report.live) continue;
    const auto pair = live_pair(c, report.policy);
    one["live_pair"] = pair ? Json(*pair) : Json(nullptr);
  }
  if (report.live) out["live"] = live_json(*report.live);
  out["workloads"] = Json::array();
  for (const WorkloadResult& workload : decision.workloads) out["workloads"].push_back(workload_json(workload));
  out["regions"] = Json::array();
  for (const RegionResult& region : decision.regions) out["regions"].push_back(region_json(region));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kernelgate::report
