// SPDX-License-Identifier: Apache-2.0
#pragma once

// What measuring on this machine for one repository takes: sandbox, build cache, mirrors, store, the GPU, and the lock
// that keeps two from measuring at once. It stays where it was made: others hold pointers to its parts. Private to
// local.

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "commands/run/run.hpp"
#include "platform/git/git.hpp"
#include "platform/process/file_lock.hpp"
#include "runner/build/build_cache.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/source/mirror.hpp"
#include "runner/testbed/testbed.hpp"
#include "service/runs/local.hpp"
#include "service/store/store.hpp"

namespace kernelgate::local {

struct LocalMachine {
  MachineFacts facts;
  Sandbox sandbox;
  BuildCache builds;
  MirrorPool mirrors;
  service::OpenStore store;
  std::unique_ptr<DisturbanceProbe> probe;
  std::optional<Ceilings> ceilings{};    // of the GPU
  std::filesystem::path device_clock{};  // libkernelgate_device_clock.so; empty: not here
  FileLock alone;

  [[nodiscard]] JobMachine job_machine(std::vector<int> cpus) const;
};

// Waits for another measurement in this repository to end. `build_jobs`: of one build; 0: all processors.
[[nodiscard]] Result<std::unique_ptr<LocalMachine>> open_machine(const Git& git, const RunOptions& options,
                                                                 const RunProgress& progress,
                                                                 const std::stop_token& stop, int build_jobs = 0);

// How this repository is entered in its local store.
[[nodiscard]] service::LocalRepository local_repository(const Git& git, const std::string& name = kRepositoryName);

}  // namespace kernelgate::local
