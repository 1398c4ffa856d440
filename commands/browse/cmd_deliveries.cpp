// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/browse/forges.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/target_flags.hpp"
#include "core/report/text.hpp"

namespace kernelgate::cli::cmd_deliveries {
namespace {

struct Flags {
  browse::Target target;
  std::string outcome, format = "table";
  std::int64_t id = 0;
  int limit = 50;
};

int list(const Flags& flags) {
  const auto found = browse::list_deliveries(flags.target, flags.outcome, flags.limit);
  if (!found) return complain(found.error());
  const bool json = flags.format == "json";
  std::fputs((json ? browse::to_json(*found) : browse::to_table(*found, report::style_of(stdout))).c_str(), stdout);
  return 0;
}

int retry(const Flags& flags) {
  const auto reply = browse::retry_delivery(flags.target, flags.id);
  if (!reply) return complain(reply.error());
  const std::string run = reply->run ? ": run " + std::to_string(*reply->run) : "";
  const std::string detail = reply->detail.empty() ? "" : ": " + report::harmless(reply->detail);
  std::printf("%s%s%s\n", std::string(to_string(reply->outcome)).c_str(), run.c_str(), detail.c_str());
  return 0;
}

int print_payload(const Flags& flags) {
  const auto bytes = browse::payload(flags.target, flags.id);
  if (!bytes) return complain(bytes.error());
  std::fwrite(bytes->data(), 1, bytes->size(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("deliveries", "Webhooks that a server got, and what became of them");
  command->require_subcommand(1);
  CLI::App* all = command->add_subcommand("list", "The newest webhooks");
  CLI::App* again = command->add_subcommand("retry", "Take one again that was refused, as if it had come once more");
  CLI::App* bytes = command->add_subcommand("payload", "The bytes of one, as they came");
  for (CLI::App* each : {all, again, bytes}) add_server_flags(*each, flags->target, "admin");
  for (CLI::App* each : {again, bytes})
    each->add_option("delivery", flags->id, "Its number")->required()->check(whole_number(1));
  all->add_option("--outcome", flags->outcome, "Only these")
      ->check(CLI::IsMember({"queued", "held", "cancelled", "noted", "ignored", "unknown_event", "refused"}));
  all->add_option("--limit", flags->limit, "At most so many")->check(whole_number(1, 500))->capture_default_str();
  all->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  all->callback([flags, &exit_code] { exit_code = list(*flags); });
  again->callback([flags, &exit_code] { exit_code = retry(*flags); });
  bytes->callback([flags, &exit_code] { exit_code = print_payload(*flags); });
}

}  // namespace kernelgate::cli::cmd_deliveries
