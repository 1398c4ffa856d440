// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/browse/forges.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/target_flags.hpp"

namespace kernelgate::cli::cmd_outbox {
namespace {

struct Flags {
  browse::Target target;
  std::string status, format = "table";
  std::int64_t id = 0;
  int limit = 50;
};

int list(const Flags& flags) {
  const auto found = browse::list_messages(flags.target, flags.status, flags.limit);
  if (!found) return complain(found.error());
  const bool json = flags.format == "json";
  std::fputs((json ? browse::to_json(*found) : browse::to_table(*found, report::style_of(stdout))).c_str(), stdout);
  return 0;
}

int retry(const Flags& flags) {
  const auto message = browse::retry_message(flags.target, flags.id);
  if (!message) return complain(message.error());
  std::printf("message %lld to %s is %s\n", static_cast<long long>(message->id), message->target.c_str(),
              std::string(to_string(message->status)).c_str());
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("outbox", "What a server tells forges: what waits, what was given up");
  command->require_subcommand(1);
  CLI::App* all = command->add_subcommand("list", "The newest messages");
  CLI::App* again = command->add_subcommand("retry", "Take one up again that was given up");
  for (CLI::App* each : {all, again}) add_server_flags(*each, flags->target, "admin");
  all->add_option("--status", flags->status, "Only these")
      ->check(CLI::IsMember({"pending", "delivered", "obsolete", "gave_up"}));
  all->add_option("--limit", flags->limit, "At most so many")->check(whole_number(1, 500))->capture_default_str();
  all->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  again->add_option("message", flags->id, "Its number")->required()->check(whole_number(1));
  all->callback([flags, &exit_code] { exit_code = list(*flags); });
  again->callback([flags, &exit_code] { exit_code = retry(*flags); });
}

}  // namespace kernelgate::cli::cmd_outbox
