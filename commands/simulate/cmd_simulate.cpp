// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/simulate/recorded.hpp"
#include "commands/simulate/scenarios.hpp"
#include "commands/simulate/simulate.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::cli::cmd_simulate {

namespace {

int judge_series(const std::string& path, const Policy& policy, bool json) {
  if (const Status band = check_band(policy, local::kBandFlags); !band) return complain(band.error());
  const auto text = local::read_series(path);
  const auto processes = text ? local::parse_series(*text, path) : pass_on(text);
  if (!processes) return complain(processes.error());
  const auto cases = simulation::judge_recorded(*processes, policy);
  std::fputs((json ? local::recorded_json(cases, policy) : local::recorded_table(cases, policy)).c_str(), stdout);
  return 0;
}

int run_scenarios(const local::SimulateOptions& options, const std::vector<std::string>& names, bool json) {
  const local::ScenarioOptions chosen{
      .names = names, .trials = options.trials, .seed = options.seed, .policy = options.setting.policy};
  const auto rows = local::run_scenarios(chosen);
  if (!rows) return complain(rows.error());
  std::fputs((json ? local::scenario_json(chosen, *rows) : local::scenario_table(chosen, *rows)).c_str(), stdout);
  return 0;
}

void add_scenarios(CLI::App& command, std::vector<std::string>& names) {
  auto* scenario = command.add_option("--scenario", names,
                                      "Our rule under one kind of noise, with and without history; or all; repeatable");
  for (const char* other :
       {"--rule", "--true", "--noise", "--no-history", "--stored-variance-factor", "--looks", "--series"})
    scenario->excludes(other);  // a scenario has its own noise, and is run at 0, tolerate and catch
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  struct Flags {
    local::SimulateOptions options;
    std::string format = "table", series;
    std::vector<std::string> scenarios;
    bool no_history = false;
  };
  auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  auto* command = app.add_subcommand("simulate", "Error rates of decision rules on simulated GPU timings");
  command->add_option("--rule", options.rules, "A rule, or all; repeatable")->capture_default_str();
  command->add_option("--true", options.true_shifts, "A true shift as a fraction (0.03: 3 % slower); repeatable")
      ->capture_default_str();
  command->add_option("--trials", options.trials, "Simulated benchmarks for each row")
      ->check(whole_number(1, limits::kSimulationTrialsMax))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Seed of the noise")->check(whole_number(0))->capture_default_str();
  command->add_option("--noise", options.setting.noise, "Scale of the noise")->capture_default_str();
  command->add_flag("--no-history", flags->no_history, "ours: without a stored variance");
  command
      ->add_option("--stored-variance-factor", options.setting.stored_variance_factor,
                   "ours: the stored variance is wrong by this factor")
      ->capture_default_str();
  command->add_option("--looks", options.setting.looks, "ours: pairs at which to look, such as 2,4,8,16")
      ->delimiter(',')
      ->check(whole_number(2, limits::kPairsMax));
  command->add_option("--tolerate", options.setting.policy.tolerate, "As in a manifest")->capture_default_str();
  command->add_option("--catch", options.setting.policy.catch_limit, "As in a manifest")->capture_default_str();
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  auto* series = command->add_option(
      "--series", flags->series,
      "Judge recorded processes of a device instead: a file as baselines/ has them, or - for stdin");
  for (const char* simulated :
       {"--rule", "--true", "--trials", "--seed", "--noise", "--no-history", "--stored-variance-factor", "--looks"})
    series->excludes(simulated);  // recorded processes have their own noise, and every rule judges them
  add_scenarios(*command, flags->scenarios);
  command->callback([flags, &exit_code] {
    if (!flags->scenarios.empty()) {
      exit_code = run_scenarios(flags->options, flags->scenarios, flags->format == "json");
      return;
    }
    if (!flags->series.empty()) {
      exit_code = judge_series(flags->series, flags->options.setting.policy, flags->format == "json");
      return;
    }
    flags->options.setting.history = !flags->no_history;
    const auto results = local::simulate_rules(flags->options);
    if (!results) {
      exit_code = complain(results.error());
      return;
    }
    const std::string text = flags->format == "json" ? local::simulation_json(flags->options, *results)
                                                     : local::simulation_table(flags->options, *results);
    std::fputs(text.c_str(), stdout);
  });
}

}  // namespace kernelgate::cli::cmd_simulate
