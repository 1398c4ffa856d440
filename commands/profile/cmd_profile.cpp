// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <cstdio>
#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/profile/profile.hpp"
#include "commands/progress_line.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_profile {
namespace {

struct Flags {
  local::ProfileOptions options;
  std::string format = "table";
};

int run(const Flags& flags) {
  const StopSignals signals;
  Result<local::ProfileOutcome> outcome;
  {
    ProgressLine line(stderr);
    const auto show = [&line](const std::string& text) { line.show(text); };
    outcome = local::profile_here(flags.options, show, signals.token());
  }
  if (!outcome) return complain(outcome.error());
  const std::string text = flags.format == "json" ? local::profile_json(*outcome) : local::profile_table(*outcome);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  auto* command = app.add_subcommand("profile", "Nsight Compute on one benchmark of two commits");
  command->add_option("--benchmark", options.benchmark, "Its whole name")->required();
  add_folder_flag(*command, options.run.repository);
  command->add_option("--base", options.run.base, "Commit to compare with (default: the parent of head)");
  command->add_option("--head", options.run.head, "Commit to profile")->capture_default_str();
  command->add_option("--manifest", options.run.manifest, "Use this manifest, not the repository's");
  command->add_option("--suite", options.run.suite, "Only this suite");
  command->add_option("-o,--output", options.out, "Folder for the profiler's pages, base.csv and head.csv");
  command->add_option("--gpu", options.run.gpu, "Number of the GPU to measure on, as the driver counts them")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--probe-dir", options.run.probe_folder, "Folder of our helper programs for GPUs");
  command->add_option("--cuda-tools", options.cuda_tools, "Folder of ncu (default: looked for)");
  command->add_option("--toolchain", options.run.toolchains,
                      "Folder of tools that builds and suites may read; repeatable");
  command->add_flag("--no-sandbox", options.run.no_sandbox, "Commits run with all rights of this user");
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace kernelgate::cli::cmd_profile
