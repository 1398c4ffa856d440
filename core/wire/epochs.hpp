// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a runner measured when its testbed's facts had changed: the control kernels and the anchored baseline's kept
// binaries. docs/API.md is the page for people.

#include <optional>
#include <string>
#include <vector>

#include "core/units/strong.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

struct EpochFigure {
  std::string suite, benchmark;
  double median_ns = 0;
  int processes = 0;
};

struct EpochUpload {
  std::string lease;
  std::string commit;                     // whose binaries were replayed
  bool kept = true;                       // the very binaries of the epoch before; else they were built anew
  std::string text;                       // what changed, and by how much, in one sentence
  std::optional<double> control_ratio{};  // time of the control kernels over that of the epoch before
  std::vector<EpochFigure> figures;       // of the commit's benchmarks
};
struct EpochReply {
  int carried = 0;  // baselines that now stand in the new epoch too
};

// What a testbed was from a time on.
struct Epoch {
  EpochId id;
  std::string testbed, gpu_model, compute_capability, driver, toolkit, power_limit, mig_mode, host_cpu;
  Instant since{};
  bool over = false;  // a later one of its testbed has begun
};
struct EpochPage {
  std::vector<Epoch> epochs;
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire
