// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/baseline/baseline_flags.hpp"
#include "commands/commands.hpp"

namespace kernelgate::cli::cmd_prune {
namespace {

struct Flags {
  local::BaselineTarget target;
  wire::PruneRequest wanted;
  std::string age;
};

// 90d
std::string check_age(const std::string& text) {
  const bool days = text.size() >= 2 && text.size() <= 6 && text.back() == 'd' &&
                    text.find_first_not_of("0123456789") == text.size() - 1 && std::stoi(text) > 0;
  return days ? "" : "not an age such as 90d: '" + text.substr(0, 40) + "'";
}

int prune(Flags& flags) {
  flags.wanted.older_than_days = std::stoi(flags.age);
  const auto done = local::prune(flags.target, flags.wanted);
  if (!done) return complain(done.error());
  std::fputs(local::prune_text(*done).c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("prune", "Thin the raw samples of old runs to their quantiles");
  add_baseline_flags(*command, flags->target);
  command->add_option("--older-than", flags->age, "Age in days: 90d")->required()->check(check_age, "DAYSd");
  command->add_flag("--dry-run", flags->wanted.dry_run, "Only say what it would give back");
  command->footer("Verdicts, medians and histories stay for ever; baselines and their sessions are never thinned.");
  command->callback([flags, &exit_code] { exit_code = prune(*flags); });
}

}  // namespace kernelgate::cli::cmd_prune
