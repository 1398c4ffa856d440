// SPDX-License-Identifier: Apache-2.0
#include "commands/local_machine.hpp"

#include <unistd.h>

#include "commands/branch.hpp"
#include "core/log/log.hpp"
#include "runner/code/ceilings.hpp"
#include "runner/gpu/device_times.hpp"
#include "runner/gpu/health.hpp"
#include "runner/gpu/probe.hpp"
#include "runner/gpu/sanitizer.hpp"

namespace kernelgate::local {
namespace {

std::string host_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "local";
}

// Without them nothing is compared with a roof.
std::optional<Ceilings> known_ceilings(const MachineFacts& machine, const std::filesystem::path& folder,
                                       const RunOptions& options, DisturbanceProbe& probe, const RunProgress& progress,
                                       const std::stop_token& stop) {
  if (!machine.has_gpu) return std::nullopt;
  const auto program = gpu::find_probe(gpu::kCeilingsProgram, options.probe_folder);
  const auto found = gpu::find_ceilings({machine.testbed, program, folder, machine.environment}, probe, progress, stop);
  if (found) return *found;
  log_warn("the GPU's ceilings are not known: " + to_string(found.error()));
  return std::nullopt;
}

}  // namespace

JobMachine LocalMachine::job_machine(std::vector<int> cpus) const {
  return {.sandbox = &sandbox,
          .builds = &builds,
          .probe = probe.get(),
          .facts = facts,
          .cpus = std::move(cpus),
          .sanitizer = facts.has_gpu ? gpu::find_sanitizer() : std::filesystem::path(),
          .ceilings = ceilings,
          .device_clock = device_clock};
}

Result<std::unique_ptr<LocalMachine>> open_machine(const Git& git, const RunOptions& options,
                                                   const RunProgress& progress, const std::stop_token& stop,
                                                   int build_jobs) {
  auto machine = read_machine_facts(host_name(), options.gpu);
  if (options.gpu != 0 && !machine.has_gpu)
    return fail(Errc::not_found, "there is no GPU " + std::to_string(options.gpu), "--gpu", "count from 0");
  auto toolchain = options.no_sandbox ? named_toolchain(options.toolchains, {})
                                      : local_toolchain(options.toolchains, environment_of_this_process());
  if (!toolchain) return pass_on(toolchain);
  auto sandbox =
      Sandbox::open({.none = options.no_sandbox, .env = machine.environment, .toolchain = std::move(*toolchain)});
  if (!sandbox) return pass_on(sandbox);
  const std::filesystem::path folder = git.git_dir() / "kernelgate";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Errc::io, error.message(), folder.string());
  auto builds =
      BuildCache::open({.root = folder / "builds", .jobs = build_jobs, .testbed = machine.testbed.toolkit}, *sandbox);
  if (!builds) return pass_on(builds);
  auto mirrors = MirrorPool::open(folder / "mirrors");
  if (!mirrors) return pass_on(mirrors);
  auto store = service::OpenStore::open(options.database.empty() ? folder / "local.db" : options.database);
  if (!store) return pass_on(store);
  // Two that measure at once would disturb each other; what the first proves may answer the second.
  const auto lock_file = folder / "run.lock";
  auto alone = FileLock::try_acquire(lock_file, LockKind::exclusive);
  if (!alone) {
    progress("waiting for another run in this repository");
    auto waited = FileLock::acquire(lock_file, LockKind::exclusive, stop);
    if (!waited) return pass_on(waited);
    alone = std::move(*waited);
  }
  auto probe =
      gpu::make_probe(options.gpu, {.probe_folder = options.probe_folder, .price_per_hour = options.price_per_hour});
  auto ceilings = known_ceilings(machine, folder, options, *probe, progress, stop);
  auto device_clock =
      machine.has_gpu ? gpu::find_probe(gpu::kDeviceClockLibrary, options.probe_folder) : std::filesystem::path();
  return std::make_unique<LocalMachine>(LocalMachine{.facts = std::move(machine),
                                                     .sandbox = std::move(*sandbox),
                                                     .builds = std::move(*builds),
                                                     .mirrors = std::move(*mirrors),
                                                     .store = std::move(*store),
                                                     .probe = std::move(probe),
                                                     .ceilings = std::move(ceilings),
                                                     .device_clock = std::move(device_clock),
                                                     .alone = std::move(*alone)});
}

service::LocalRepository local_repository(const Git& git, const std::string& name) {
  return {.name = name, .url = git.git_dir().string(), .default_branch = default_branch_of(git)};
}

}  // namespace kernelgate::local
