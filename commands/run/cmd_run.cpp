// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/output/report.hpp"
#include "commands/progress_line.hpp"
#include "commands/run/run.hpp"
#include "commands/version.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_run {
namespace {

struct Flags {
  local::RunOptions options;
  std::string format = "table", against;
  bool all = false;
};

int run(Flags& flags) {
  flags.options.program = version_line();
  flags.options.against = parse_against(flags.against);
  const StopSignals signals;
  Result<local::RunOutcome> outcome;
  {
    ProgressLine line(stderr);
    const auto show = [&line](const std::string& text) { line.show(text); };
    outcome = local::run_here(flags.options, show, signals.token());
  }
  if (!outcome) return complain(outcome.error());
  if (local::leaves_out_changes(flags.options))
    std::fputs("kernelgate: uncommitted changes are not measured; use --work-tree\n", stderr);
  const report::Report page{.title = outcome->title,
                            .decision = outcome->decision,
                            .gpu_s = outcome->cost.used_s,
                            .wall_s = outcome->wall_s,
                            .cost = outcome->cost};
  const auto format = report::parse_format(flags.format).value_or(report::Format::table);
  report::TableStyle style = report::style_of(stdout);
  style.all = flags.all;
  std::fputs(report::render(page, format, style).c_str(), stdout);
  if (!outcome->failure_log.empty()) std::fprintf(stderr, "%s\n", outcome->failure_log.c_str());
  return exit_code(outcome->decision.conclusion);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  auto* command = app.add_subcommand("run", "Measure head against base here, without a server");
  add_folder_flag(*command, options.repository);
  command->add_option("--base", options.base, "Commit to compare with (default: the parent of head)");
  auto* head = command->add_option("--head", options.head, "Commit to judge")->capture_default_str();
  command->add_flag("--work-tree", options.work_tree, "Judge the work tree as it stands")->excludes(head);
  command->add_option("--manifest", options.manifest, "Use this manifest, not the repository's");
  command->add_option("--suite", options.suite, "Only this suite");
  command->add_option("--filter", options.filter, "Only benchmarks that this regular expression matches");
  command->add_option("--db", options.database, "Where samples are kept (default: in the git folder)");
  command->add_option("--cpus", options.cpus, "Pin suites to these processors, such as 2,3")->delimiter(',');
  command->add_option("--gpu", options.gpu, "Number of the GPU to measure on, as the driver counts them (default: 0)")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--price-per-hour", options.price_per_hour, "What an hour of the device costs")
      ->envname("KERNELGATE_PRICE_PER_HOUR")
      ->check(price());
  command->add_option("--probe-dir", options.probe_folder, "Folder of kg_probe_health (default: beside this program)");
  command->add_option("--against", flags->against, "pairs, or stored: head alone first, against the stored baseline")
      ->check(CLI::IsMember({"pairs", "stored"}));
  command->add_flag("--force", options.force, "Measure although the verdict is known");
  command->add_option("--toolchain", options.toolchains, "Folder of tools that builds and suites may read; repeatable");
  command->add_flag("--no-sandbox", options.no_sandbox, "Commits run with all rights of this user");
  command->add_flag("--all", flags->all, "Every row of a long table, not only what moved");
  command->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace kernelgate::cli::cmd_run
