// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <cstdio>
#include <memory>
#include <sstream>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/progress_line.hpp"
#include "commands/sweep/sweep.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_sweep {
namespace {

struct Flags {
  local::SweepOptions options;
  std::vector<std::string> axes;
  std::string format = "table";
};

// "BLOCK_M=64,128"
Status read_axes(Flags& flags) {
  for (const std::string& text : flags.axes) {
    const auto equals = text.find('=');
    std::istringstream values(equals == text.npos ? "" : text.substr(equals + 1));
    auto& axis = flags.options.axes[text.substr(0, equals)];
    for (std::string value; std::getline(values, value, ',');) {
      const bool plain =
          value.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-") == value.npos;
      if (value.empty() || !plain)
        return fail(Errc::invalid, "'" + value + "' cannot be a define", "--axis", "use letters, digits and '_.+-'");
      axis.push_back(value);
    }
    const bool named = equals != text.npos && equals > 0 &&
                       text.substr(0, equals).find_first_not_of(
                           "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == text.npos;
    if (!named || axis.empty()) return fail(Errc::invalid, "'" + text + "' is no axis", "--axis", "give NAME=V1,V2");
  }
  return {};
}

int run(Flags& flags) {
  if (auto read = read_axes(flags); !read) return complain(read.error());
  const StopSignals signals;
  Result<std::vector<local::SweepResult>> sweeps;
  {
    ProgressLine line(stderr);
    const auto show = [&line](const std::string& text) { line.show(text); };
    sweeps = local::sweep_here(flags.options, show, signals.token());
  }
  if (!sweeps) return complain(sweeps.error());
  const std::string text = flags.format == "json"       ? local::sweep_json(*sweeps)
                           : flags.format == "markdown" ? local::sweep_markdown(*sweeps)
                                                        : local::sweep_table(*sweeps);
  std::fputs(text.c_str(), stdout);
  for (const local::SweepResult& sweep : *sweeps)
    for (const local::PointResult& point : sweep.points)
      if (point.outcome != AttemptOutcome::not_measured) return exit_code(Conclusion::passed);
  return exit_code(Conclusion::infrastructure);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto& options = flags->options.run;
  auto* command = app.add_subcommand("sweep", "Build, check and time every point of a matrix of defines");
  add_folder_flag(*command, options.repository);
  command->add_option("--head", options.head, "Commit to sweep")->capture_default_str();
  command->add_option("--manifest", options.manifest, "Use this manifest, not the repository's");
  command->add_option("--suite", options.suite, "Only sweeps of this suite");
  command->add_option("--axis", flags->axes, "NAME=V1,V2: in place of the manifest's [[sweep]]; needs --suite");
  command->add_option("--filter", options.filter, "Only benchmarks that this regular expression matches");
  command->add_option("--db", options.database, "Where points are kept (default: in the git folder)");
  command->add_option("--cpus", options.cpus, "Pin suites to these processors, such as 2,3")->delimiter(',');
  command->add_option("--gpu", options.gpu, "Number of the GPU to measure on, as the driver counts them (default: 0)")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--probe-dir", options.probe_folder, "Folder of kg_probe_health (default: beside this program)");
  command->add_option("--toolchain", options.toolchains, "Folder of tools that builds and suites may read; repeatable");
  command->add_flag("--no-sandbox", options.no_sandbox, "Commits run with all rights of this user");
  command->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace kernelgate::cli::cmd_sweep
