// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds, checks and times every point of a matrix against one of them, by the same job and rule as a run. Each point
// is a run of its own in the local store (repository "sweep"); one that fails never stops the others. Blocks.

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "commands/run/run.hpp"
#include "commands/sweep/matrix.hpp"

namespace kernelgate::local {

struct SweepOptions {
  RunOptions run;                                        // base, defines and store_as are the sweep's own
  std::map<std::string, std::vector<std::string>> axes;  // in place of the manifest's [[sweep]]; needs run.suite
};

// One result for each sweep of the manifest that names the suite (all, without one).
[[nodiscard]] Result<std::vector<SweepResult>> sweep_here(const SweepOptions& options, const RunProgress& progress,
                                                          std::stop_token stop = {});

[[nodiscard]] std::string sweep_table(const std::vector<SweepResult>& sweeps);
[[nodiscard]] std::string sweep_markdown(const std::vector<SweepResult>& sweeps);
[[nodiscard]] std::string sweep_json(const std::vector<SweepResult>& sweeps);

}  // namespace kernelgate::local
