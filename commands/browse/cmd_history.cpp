// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/browse/show.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/target_flags.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::cli::cmd_history {
namespace {

struct Flags {
  browse::Target target;
  browse::HistoriesWanted wanted;
  std::string format = "table";
};

int history(const Flags& flags) {
  const auto found = browse::histories(flags.target, flags.wanted);
  if (!found) return complain(found.error());
  const std::string text = flags.format == "json"  ? browse::to_json(*found)
                           : flags.format == "csv" ? browse::to_csv(*found)
                                                   : browse::to_table(*found, report::style_of(stdout));
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("history", "Show benchmarks over time: levels, changes and creep");
  add_target_flags(*command, flags->target);
  command->add_option("--benchmark", flags->wanted.benchmark, "Regular expression, searched in the benchmarks' names")
      ->required();
  command->add_option("--suite", flags->wanted.suite, "Only this suite");
  command->add_option("--branch", flags->wanted.branch, "Default: the default branch; in a local store all runs count");
  command->add_option("--epoch", flags->wanted.epoch, "Default: that of a benchmark's newest point")
      ->check(whole_number(1));
  command->add_option("--points", flags->wanted.points, "The newest so many")
      ->check(whole_number(1, limits::kHistoryPointsMax))
      ->capture_default_str();
  command->add_option("--format", flags->format, "table, json or csv")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = history(*flags); });
}

}  // namespace kernelgate::cli::cmd_history
