// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/place_flags.hpp"
#include "local/browse/show.hpp"

namespace kernelgate::cli {
namespace {

struct Flags {
  browse::Place place;
  browse::RunsWanted wanted;
  std::int64_t run = 0;
  std::string format = "table";
};

int list(const Flags& flags) {
  const auto runs = browse::list_runs(flags.place, flags.wanted);
  if (!runs) return complain(runs.error());
  const bool json = flags.format == "json";
  std::fputs((json ? browse::to_json(*runs) : browse::to_table(*runs, report::style_of(stdout))).c_str(), stdout);
  return 0;
}

int show(const Flags& flags) {
  const auto run = browse::one_run(flags.place, flags.run);
  if (!run) return complain(run.error());
  if (!parse_conclusion(run->conclusion)) {
    std::printf("run %lld is %s%s%s\n", static_cast<long long>(run->id), run->state.c_str(),
                run->progress.empty() ? "" : ": ", run->progress.c_str());
    return 0;
  }
  const auto format = *report::parse_format(flags.format);
  std::fputs(report::render(report::report_of(*run), format, report::style_of(stdout)).c_str(), stdout);
  return 0;
}

}  // namespace

void add_runs(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("runs", "List finished and unfinished runs, show one");
  command->require_subcommand(1);
  CLI::App* all = command->add_subcommand("list", "The newest runs");
  CLI::App* one = command->add_subcommand("show", "One run's table; its conclusion is no exit code here");
  for (CLI::App* each : {all, one}) add_place_flags(*each, flags->place);
  all->add_option("--commit", flags->wanted.commit, "Full hash of head");
  all->add_option("--branch", flags->wanted.branch, "Only this branch");
  all->add_option("--state", flags->wanted.state, "queued, measuring, done …, or unfinished");
  all->add_option("--limit", flags->wanted.limit, "At most so many")->check(CLI::Range(1, 500))->capture_default_str();
  all->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  one->add_option("run", flags->run, "Its number")->required()->check(CLI::PositiveNumber);
  one->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}));
  all->callback([flags, &exit_code] { exit_code = list(*flags); });
  one->callback([flags, &exit_code] { exit_code = show(*flags); });
}

}  // namespace kernelgate::cli
