// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two programs against each other, as they stand on this machine: no git, no manifest, nothing built, nothing stored.
// They are the caller's own and run as the caller: without a sandbox, in this folder, with this environment.

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate::local {

struct DuelRequest {
  std::string old_command, new_command;  // an executable's path, or a line for /bin/sh
  std::vector<std::string> arguments{};  // of both
  std::string check{};                   // a line for /bin/sh that checks the new one; empty: nothing is checked
  std::optional<SuiteFormat> format{};   // empty: by asking the programs for their benchmarks
  std::string filter{};                  // regular expression searched in benchmark names; empty: all
  Policy policy{};
  TimeSource time = TimeSource::real;
  std::chrono::seconds timeout = limits::kSuiteTimeoutDefault;  // of one process, and of the check
  std::vector<int> cpus{};                                      // pin both to these; empty: not pinned
  int gpu = 0;                                                  // its number, where the machine has any
  std::filesystem::path probe_folder{};                         // of kg_probe_health; empty: beside this program
  std::filesystem::path folder{};                               // that both run in
};

struct DuelOutcome {
  RunDecision decision;
  std::string check_log;  // of a check that failed
  bool stopped = false;   // on request, before the rule was done: what was measured until then is judged
  double gpu_s = 0;       // of the processes that were timed
  double wall_s = 0;
};

// invalid: a command that names nothing, a filter that is no regular expression or leaves nothing, programs that list
// no benchmarks in any format. conflict: a stop was asked for. unavailable: the GPU is taken or does not work.
[[nodiscard]] Result<DuelOutcome> duel(const DuelRequest& request,
                                       const std::function<void(const std::string&)>& progress,
                                       const std::stop_token& stop);

}  // namespace kernelgate::local
