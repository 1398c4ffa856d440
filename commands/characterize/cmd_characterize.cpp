// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands/characterize/characterize.hpp"
#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/progress_line.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_characterize {
namespace {

struct Flags {
  local::CharacterizeOptions options;
  std::string format = "markdown";
};

int run(const Flags& flags) {
  const StopSignals signals;
  Result<std::vector<local::SuiteFigures>> suites;
  {
    ProgressLine line(stderr);
    const auto show = [&line](const std::string& text) { line.show(text); };
    suites = local::characterize_here(flags.options, show, signals.token());
  }
  if (!suites) return complain(suites.error());
  const std::string text =
      flags.format == "json" ? local::characterize_json(*suites) : local::characterize_markdown(*suites);
  std::fputs(text.c_str(), stdout);
  const bool wrong = std::any_of(suites->begin(), suites->end(),
                                 [](const local::SuiteFigures& suite) { return suite.checks.failed > 0; });
  return exit_code(wrong ? Conclusion::broken : Conclusion::passed);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto& options = flags->options;
  auto* command = app.add_subcommand("characterize", "How one commit's benchmarks behave on this machine");
  add_folder_flag(*command, options.run.repository);
  command->add_option("--head", options.run.head, "Commit to measure")->capture_default_str();
  command->add_option("--manifest", options.run.manifest, "Use this manifest, not the repository's");
  command->add_option("--suite", options.run.suite, "Only this suite");
  command->add_option("--filter", options.run.filter, "Only benchmarks that this regular expression matches");
  command->add_option("--n", options.samples, "Samples of each benchmark, at least")
      ->check(CLI::Range(1, limits::kCharacterizeSamplesMax))
      ->capture_default_str();
  command->add_option("--processes", options.processes, "Processes that take them; at least 10")
      ->check(CLI::Range(local::kProcessesLeast, limits::kCharacterizeSamplesMax))
      ->capture_default_str();
  command->add_option("--price-per-hour", options.price_per_hour, "Price of the device, to state the cost")
      ->check(price());
  command->add_option("--cpus", options.run.cpus, "Pin suites to these processors, such as 2,3")->delimiter(',');
  command->add_option("--gpu", options.run.gpu, "Number of the GPU to measure on, as the driver counts them")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--probe-dir", options.run.probe_folder, "Folder of our helper programs for GPUs");
  command->add_option("--toolchain", options.run.toolchains,
                      "Folder of tools that builds and suites may read; repeatable");
  command->add_flag("--no-sandbox", options.run.no_sandbox, "Commits run with all rights of this user");
  command->add_option("--format", flags->format, "markdown or json")
      ->check(CLI::IsMember({"markdown", "json"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace kernelgate::cli::cmd_characterize
