// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures one commit alone, in many processes, to learn how its benchmarks behave on this machine. Judges nothing and
// stores nothing but the build and its check results. Blocks.

#include <stop_token>
#include <vector>

#include "commands/characterize/figures.hpp"
#include "commands/run/run.hpp"

namespace kernelgate::local {

struct CharacterizeOptions {
  RunOptions run;             // of it: repository, head, manifest, suite, filter, cpus, gpu, probe_folder, no_sandbox
  int samples = 100;          // of each benchmark, at least
  int processes = 10;         // at least 10
  double price_per_hour = 0;  // of the device, in any currency
};

inline constexpr int kProcessesLeast = 10;  // fewer give no 95 % interval of their median

// A suite whose checks fail is not timed: its figures say so.
[[nodiscard]] Result<std::vector<SuiteFigures>> characterize_here(const CharacterizeOptions& options,
                                                                  const RunProgress& progress,
                                                                  std::stop_token stop = {});

}  // namespace kernelgate::local
