// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/browse/show.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/target_flags.hpp"

namespace kernelgate::cli::cmd_runs {
namespace {

struct Flags {
  browse::Target target;
  browse::RunsWanted wanted;
  std::int64_t run = 0;
  std::string format = "table";
  std::string reason;
};

// What is done to one run; the answer is the run after it.
struct Action {
  const char* name;
  const char* help;
  Result<wire::Run> (*make)(Client& client, const Flags& flags);
};
const Action kActions[] = {
    {"approve", "Queue a held run of a fork: its code will run on your machines",
     [](Client& client, const Flags& flags) { return client.approve(flags.run); }},
    {"refuse", "Cancel a held run of a fork",
     [](Client& client, const Flags& flags) { return client.refuse(flags.run, flags.reason); }},
    {"cancel", "Cancel an unfinished run", [](Client& client, const Flags& flags) { return client.cancel(flags.run); }},
    {"retry", "Measure a finished run again, as a new one",
     [](Client& client, const Flags& flags) { return client.retry(flags.run); }},
};

int carry_out(const Action& action, const Flags& flags) {
  const auto token = read_token_file(flags.target.token_file);
  if (!token) return complain(token.error());
  ClientOptions options;
  options.server = flags.target.server;
  options.token = *token;
  options.retry_for = std::chrono::seconds(10);
  auto client = Client::create(options);
  if (!client) return complain(client.error());
  const auto run = action.make(*client, flags);
  if (!run) return complain(run.error());
  std::printf("run %lld is %s%s%s\n", static_cast<long long>(run->id), std::string(to_string(run->state)).c_str(),
              run->reason.empty() ? "" : ": ", run->reason.c_str());
  return 0;
}

void add_actions(CLI::App& command, const std::shared_ptr<Flags>& flags, int& exit_code) {
  for (const Action& action : kActions) {
    CLI::App* one = command.add_subcommand(action.name, action.help);
    one->add_option("run", flags->run, "Its number")->required()->check(CLI::PositiveNumber);
    add_server_flags(*one, flags->target, "trigger");
    if (std::string(action.name) == "refuse")
      one->add_option("--reason", flags->reason, "Why; shown with the run")->required();
    one->callback([&action, flags, &exit_code] { exit_code = carry_out(action, *flags); });
  }
}

int list(const Flags& flags) {
  const auto runs = browse::list_runs(flags.target, flags.wanted);
  if (!runs) return complain(runs.error());
  const bool json = flags.format == "json";
  std::fputs((json ? browse::to_json(*runs) : browse::to_table(*runs, report::style_of(stdout))).c_str(), stdout);
  return 0;
}

void add_list_flags(CLI::App& command, Flags& flags) {
  add_target_flags(command, flags.target);
  command.add_option("--commit", flags.wanted.commit, "Of head: a hash, or any revision of the repository in --repo");
  command.add_option("--branch", flags.wanted.branch, "Only this branch");
  command.add_option("--state", flags.wanted.state, "queued, measuring, done …, or unfinished");
  command.add_option("--limit", flags.wanted.limit, "At most so many")
      ->check(whole_number(1, 500))
      ->capture_default_str();
  command.add_option("--format", flags.format, "table or json")->check(CLI::IsMember({"table", "json"}));
}

int show(const Flags& flags) {
  const auto run = browse::one_run(flags.target, flags.run);
  if (!run) return complain(run.error());
  if (!run->conclusion) {
    std::printf("run %lld is %s%s%s\n", static_cast<long long>(run->id), std::string(to_string(run->state)).c_str(),
                run->progress.empty() ? "" : ": ", run->progress.c_str());
    return 0;
  }
  const auto format = *report::parse_format(flags.format);
  std::fputs(report::render(report::report_of(*run), format, report::style_of(stdout)).c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("runs", "List runs, show one; approve, refuse, cancel or retry one");
  CLI::App* all = command->add_subcommand("list", "The newest runs; what 'runs' alone does");
  CLI::App* one = command->add_subcommand("show", "One run's table; its conclusion is no exit code here");
  add_target_flags(*one, flags->target);
  for (CLI::App* each : {command, all}) add_list_flags(*each, *flags);
  one->add_option("run", flags->run, "Its number")->required()->check(whole_number(1));
  one->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}));
  all->callback([flags, &exit_code] { exit_code = list(*flags); });
  command->callback([command, flags, &exit_code] {
    if (command->get_subcommands().empty()) exit_code = list(*flags);
  });
  one->callback([flags, &exit_code] { exit_code = show(*flags); });
  add_actions(*command, flags, exit_code);
}

}  // namespace kernelgate::cli::cmd_runs
