// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/browse/audit.hpp"
#include "commands/commands.hpp"
#include "commands/target_flags.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::cli::cmd_audit {
namespace {

struct Flags {
  browse::Target target;
  browse::ActionsWanted wanted;
  int days = 0;
  std::string format = "table";
};

int list(Flags& flags) {
  if (flags.days > 0) flags.wanted.since = SystemClock{}.now() - std::chrono::hours(24) * flags.days;
  const auto actions = browse::list_actions(flags.target, flags.wanted);
  if (!actions) return complain(actions.error());
  const bool json = flags.format == "json";
  std::fputs((json ? browse::to_json(*actions) : browse::to_table(*actions, report::style_of(stdout))).c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("audit", "The audit log: who did what, when, and why");
  add_target_flags(*command, flags->target);
  command->add_option("--actor", flags->wanted.actor, "Only of this token, runner or person");
  command->add_option("--action", flags->wanted.action, "Only run.cancel …, or a family of them: run, baseline …");
  command->add_option("--subject", flags->wanted.subject, "Only to this thing: 'run 12'");
  command->add_option("--days", flags->days, "Only of the last so many days")->check(CLI::Range(1, limits::kDaysMax));
  command->add_option("--limit", flags->wanted.limit, "The newest so many")
      ->check(CLI::Range(1, 500))
      ->capture_default_str();
  command->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  command->callback([flags, &exit_code] { exit_code = list(*flags); });
}

}  // namespace kernelgate::cli::cmd_audit
