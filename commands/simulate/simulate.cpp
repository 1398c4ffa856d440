// SPDX-License-Identifier: Apache-2.0
#include "commands/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/report_document.hpp"

namespace kernelgate::local {
namespace {

using simulation::Rates;

constexpr double kShiftMost = 10;    // eleven times slower is caught by any rule
constexpr double kFactorMost = 1e4;  // of a variance: a hundredfold standard deviation

Status check(const SimulateOptions& options) {
  if (options.trials < 1 || options.trials > limits::kSimulationTrialsMax)
    return fail(Errc::invalid, fmt::format("{} trials", options.trials), "--trials",
                fmt::format("1 to {}", limits::kSimulationTrialsMax));
  for (double shift : options.true_shifts)
    if (!std::isfinite(shift) || shift <= -1 || shift > kShiftMost)
      return fail(Errc::invalid, fmt::format("a true shift of {}", shift), "--true",
                  fmt::format("a fraction above -1 and at most {}: 0.03 is 3 % slower", kShiftMost));
  if (Status band = check_band(options.setting.policy, kBandFlags); !band) return band;
  if (!(options.setting.noise > 0 && options.setting.noise <= 100))
    return fail(Errc::invalid, fmt::format("a noise scale of {}", options.setting.noise), "--noise",
                "above 0 and at most 100; 1 is the model's own noise");
  const double factor = options.setting.stored_variance_factor;
  if (!(factor >= 1 / kFactorMost && factor <= kFactorMost))
    return fail(Errc::invalid, fmt::format("a factor of {}", factor), "--stored-variance-factor",
                fmt::format("from {} to {}; 1 is a stored variance that is right", 1 / kFactorMost, kFactorMost));
  int last = 0;
  for (int look : options.setting.looks) {
    if (look % 2 != 0 || look <= last || look > limits::kPairsMax)
      return fail(Errc::invalid, fmt::format("a look at {} pairs", look), "--looks",
                  fmt::format("even numbers up to {}, ascending: 2,4,8,16", limits::kPairsMax));
    last = look;
  }
  return {};
}

Result<std::vector<const simulation::SimulatedRule*>> rules_of(const SimulateOptions& options) {
  std::vector<const simulation::SimulatedRule*> out;
  for (const std::string& name : options.rules) {
    if (name == "all") {
      for (const auto& rule : simulation::simulated_rules()) out.push_back(&rule);
      continue;
    }
    const auto* rule = simulation::find_simulated_rule(name);
    if (!rule) {
      std::string known = "all";
      for (const auto& each : simulation::simulated_rules()) known += fmt::format(", {}", each.name);
      return fail(Errc::invalid, "unknown rule '" + name + "'", "--rule", "one of " + known);
    }
    out.push_back(rule);
  }
  return out;
}

double fraction(int count, const Rates& rates) { return static_cast<double>(count) / rates.trials; }

}  // namespace

Result<std::vector<Rates>> simulate_rules(const SimulateOptions& options) {
  if (Status ok = check(options); !ok) return pass_on(ok);
  const auto rules = rules_of(options);
  if (!rules) return pass_on(rules);
  std::vector<Rates> out;
  for (const auto* rule : *rules)
    for (double shift : options.true_shifts)
      out.push_back(simulation::simulate(*rule, options.setting, shift, options.trials, options.seed));
  return out;
}

std::string simulation_json(const SimulateOptions& options, const std::vector<Rates>& results) {
  wire::SimulationDocument out{.seed = options.seed,
                               .noise = options.setting.noise,
                               .history = options.setting.history,
                               .stored_variance_factor = options.setting.stored_variance_factor,
                               .results = {}};
  for (const Rates& rates : results) {
    const auto alarms = simulation::wilson(rates.regressed, rates.trials);
    auto& row = out.results.emplace_back();
    row = {.rule = rates.rule,
           .true_shift = rates.true_shift,
           .trials = rates.trials,
           .regressed = fraction(rates.regressed, rates),
           .improved = fraction(rates.improved, rates),
           .unchanged = fraction(rates.unchanged, rates),
           .undecided = fraction(rates.undecided, rates),
           .suspected = fraction(rates.suspected, rates),
           .processes = rates.processes,
           .regressed_low = alarms.low,
           .regressed_high = alarms.high,
           .estimate = {},
           .estimate_regressed = {}};
    if (rates.rule != "ours") continue;
    row.estimate = rates.estimate;
    if (rates.regressed > 0) row.estimate_regressed = rates.estimate_regressed;
  }
  return wire::print(out);
}

std::string simulation_table(const SimulateOptions& options, const std::vector<Rates>& results) {
  std::string out = fmt::format("{} trials a row, seed {}, noise x {}{}; rates in %\n", options.trials, options.seed,
                                options.setting.noise, options.setting.history ? "" : ", no history");
  out += fmt::format("{:22} {:>7} {:>10} {:>16} {:>9} {:>10} {:>10} {:>10} {:>10}\n", "rule", "true %", "regressed",
                     "95 % interval", "improved", "unchanged", "undecided", "suspected", "processes");
  for (const Rates& rates : results) {
    const auto alarms = simulation::wilson(rates.regressed, rates.trials);
    fmt::format_to(std::back_inserter(out),
                   "{:22} {:>+7.2f} {:>10.2f} {:>16} {:>9.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.1f}\n", rates.rule,
                   100 * rates.true_shift, 100 * alarms.rate,
                   fmt::format("{:.2f} to {:.2f}", 100 * alarms.low, 100 * alarms.high),
                   100 * fraction(rates.improved, rates), 100 * fraction(rates.unchanged, rates),
                   100 * fraction(rates.undecided, rates), 100 * fraction(rates.suspected, rates), rates.processes);
  }
  return out;
}

}  // namespace kernelgate::local
