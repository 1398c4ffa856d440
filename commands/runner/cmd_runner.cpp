// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <memory>

#include "client/token_file.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"
#include "runner/daemon/daemon.hpp"

namespace kernelgate::cli::cmd_runner {
namespace {

struct Flags {
  RunnerConfig config;
  std::string token_file;
  int memory_gib = 0;
  int build_gib = static_cast<int>(limits::kBuildTreeMax.value >> 30);
  int run_minutes = static_cast<int>(std::chrono::minutes(limits::kRunMax).count());
  int mirror_gib = static_cast<int>(limits::kMirrorMax.value >> 30);
};

Bytes from_gib(int gib) { return Bytes{static_cast<std::uint64_t>(gib) << 30}; }

Status run(Flags& flags) {
  if (!flags.token_file.empty()) {
    auto token = read_token_file(flags.token_file);
    if (!token) return pass_on(token);
    flags.config.token = std::move(*token);
  }
  flags.config.memory_max = from_gib(flags.memory_gib);
  flags.config.tree_max = from_gib(flags.build_gib);
  flags.config.mirror_max = from_gib(flags.mirror_gib);
  flags.config.run_max = std::chrono::minutes(flags.run_minutes);
  const StopSignals signals;
  return run_daemon(flags.config, signals.token());
}

void add_limits(CLI::App& command, Flags& flags) {
  command
      .add_option("--memory-gib", flags.memory_gib,
                  "Memory of a build, check or suite with all that it starts (default: 7/8 of the machine's)")
      ->check(whole_number(1, limits::kGibMax));
  command.add_option("--build-gib", flags.build_gib, "Disk that one commit's source and build may take")
      ->check(whole_number(1, limits::kGibMax))
      ->capture_default_str();
  command.add_option("--mirror-gib", flags.mirror_gib, "Disk that the mirror of one repository may take")
      ->check(whole_number(1, limits::kGibMax))
      ->capture_default_str();
  command
      .add_option("--run-minutes", flags.run_minutes, "Longest that one run may take, builds and measuring together")
      ->check(whole_number(1, static_cast<std::int64_t>(limits::kGpuSecondsMax) / 60))
      ->capture_default_str();
  command.add_option("--cgroup", flags.config.cgroup,
                     "Control group without processes to make programs' groups in (default: one is looked for)");
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  RunnerConfig& config = flags->config;
  auto* command = app.add_subcommand("runner", "Claim runs from a server, build, check and measure them");
  command->add_option("--server", config.server, "The server, http://HOST:PORT")->required();
  command->add_option("--token-file", flags->token_file, "File with a token of role runner");
  command->add_option("--work", config.work, "Folder for mirrors and builds; one runner each")->required();
  command->add_option("--name", config.name, "Name shown for this runner (default: the host's)");
  command->add_option("--testbed", config.testbed, "Name of this machine as a testbed (default: the host's)");
  command->add_option("--cpus", config.cpus, "Pin suites to these processors, such as 2,3")->delimiter(',');
  command->add_option("--gpu", config.gpu, "Number of the GPU to measure on, as the driver counts them (default: 0)")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--control", config.control, "Control suite for the start of epochs (default: kg_probe_control)");
  command->add_option("--price-per-hour", config.price_per_hour, "What an hour of the device costs")
      ->envname("KERNELGATE_PRICE_PER_HOUR")
      ->check(price());
  command->add_option("--probe-dir", config.probe_folder, "Folder of kg_probe_health (default: beside this program)");
  command->add_flag("--once", config.once, "End after one run");
  command->add_flag("--fork-fetch", config.fork_fetch, "Run base's fetch line, with the network, for forks too");
  command
      ->add_option("--fork-submodule-host", config.fork_submodule_hosts, "Hosts that forks' submodules may come from")
      ->delimiter(',');
  add_limits(*command, *flags);
  command->add_option("--toolchain", config.toolchains, "Folder of tools that builds and suites may read; repeatable");
  command->add_flag("--no-sandbox", config.no_sandbox, "Commits run with all rights of this user");
  command->callback([flags, &exit_code] {
    if (const auto done = run(*flags); !done) exit_code = complain(done.error());
  });
}

}  // namespace kernelgate::cli::cmd_runner
