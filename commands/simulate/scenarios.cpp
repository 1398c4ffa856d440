// SPDX-License-Identifier: Apache-2.0
#include "commands/simulate/scenarios.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/wire/codec.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::local {
namespace {

using simulation::Scenario;
using simulation::ScenarioRates;

Result<std::vector<const Scenario*>> scenarios_of(const ScenarioOptions& options) {
  std::vector<const Scenario*> out;
  for (const std::string& name : options.names) {
    if (name == "all")
      for (const Scenario& scenario : simulation::scenarios()) out.push_back(&scenario);
    else if (const Scenario* found = simulation::find_scenario(name))
      out.push_back(found);
    else {
      std::string known = "all";
      for (const Scenario& each : simulation::scenarios()) known += fmt::format(", {}", each.name);
      return fail(Errc::invalid, "unknown scenario '" + name + "'", "--scenario", "one of " + known);
    }
  }
  return out;
}

double percent_of(int count, const ScenarioRates& rates) { return 100.0 * count / rates.trials; }

std::string cell(double stored, double alone, int digits) {
  return fmt::format("{:.{}f} / {:.{}f}", stored, digits, alone, digits);
}

std::vector<wire::PrintedScenarioRates> printed_rates(const std::vector<ScenarioRates>& all) {
  std::vector<wire::PrintedScenarioRates> out;
  for (const ScenarioRates& rates : all)
    out.push_back({.true_shift = rates.true_shift,
                   .trials = rates.trials,
                   .regressed = percent_of(rates.regressed, rates) / 100,
                   .improved = percent_of(rates.improved, rates) / 100,
                   .open = percent_of(rates.open, rates) / 100,
                   .processes = rates.processes});
  return out;
}

}  // namespace

Result<std::vector<ScenarioRow>> run_scenarios(const ScenarioOptions& options) {
  const auto chosen = scenarios_of(options);
  if (!chosen) return pass_on(chosen);
  if (Status band = check_band(options.policy, "--tolerate, --catch"); !band) return pass_on(band);
  std::vector<ScenarioRow> out;
  for (const Scenario* scenario : *chosen) {
    ScenarioRow row{.scenario = scenario};
    for (double shift : {0.0, options.policy.tolerate, options.policy.catch_limit})
      for (bool history : {true, false})
        (history ? row.stored : row.alone)
            .push_back(
                simulation::simulate_scenario(*scenario, options.policy, history, shift, options.trials, options.seed));
    out.push_back(std::move(row));
  }
  return out;
}

std::string scenario_table(const ScenarioOptions& options, const std::vector<ScenarioRow>& rows) {
  std::string out = fmt::format(
      "{} trials a cell, seed {}; with stored comparisons / without; rates in %, after the rerun of suspected\n",
      options.trials, options.seed);
  out +=
      "| scenario | noise | regressed at 0 | improved at 0 | regressed at tolerate | caught at catch | open at 0 | "
      "processes at 0 | at catch |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const ScenarioRow& row : rows) {
    const auto rate = [&row](std::size_t shift, int ScenarioRates::*count, int digits) {
      const ScenarioRates &stored = row.stored[shift], &alone = row.alone[shift];
      return cell(percent_of(stored.*count, stored), percent_of(alone.*count, alone), digits);
    };
    fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.scenario->name,
                   row.scenario->what, rate(0, &ScenarioRates::regressed, 2), rate(0, &ScenarioRates::improved, 2),
                   rate(1, &ScenarioRates::regressed, 2), rate(2, &ScenarioRates::regressed, 1),
                   rate(0, &ScenarioRates::open, 1), cell(row.stored[0].processes, row.alone[0].processes, 1),
                   cell(row.stored[2].processes, row.alone[2].processes, 1));
  }
  return out;
}

std::string scenario_json(const ScenarioOptions& options, const std::vector<ScenarioRow>& rows) {
  wire::ScenarioDocument out{.seed = options.seed, .scenarios = {}};
  for (const ScenarioRow& row : rows)
    out.scenarios.push_back({.name = std::string(row.scenario->name),
                             .what = std::string(row.scenario->what),
                             .stored = printed_rates(row.stored),
                             .alone = printed_rates(row.alone)});
  return wire::print(out);
}

}  // namespace kernelgate::local
