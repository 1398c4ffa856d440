// SPDX-License-Identifier: Apache-2.0
#pragma once

// Baselines as a file, one JSON object a line: a head, then one line for each benchmark of each baseline.
// docs/BASELINES.md is the page for people. Holds no secrets, no raw samples, no sources. encode and decode of
// codec.hpp know both lines.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"

namespace kernelgate::wire {

inline constexpr std::string_view kBaselineFileFormat = "kernelgate-baselines";
inline constexpr int kBaselineFileVersion = 1;

struct BaselineFileHead {
  std::string format{kBaselineFileFormat};
  int version = kBaselineFileVersion;
  std::string repository;
  std::string program;                     // that wrote it
  std::optional<std::int64_t> benchmarks;  // lines that follow; absent: not known
};

// One process: its samples as quantiles (db/runs/thinning.hpp).
struct BaselineProcess {
  std::string id;  // random, chosen by the runner that timed it: the same process is never imported twice
  int samples = 0;
  std::vector<double> quantiles_ns;
};

// The processes of one run, in the order of their pairs.
struct BaselineSession {
  std::int64_t run = 0;  // its number in the store that wrote it: tells sessions apart
  std::string measured_at;
  bool promoted = false;  // the run that was promoted; else a session of it
  std::vector<BaselineProcess> processes;
};

struct BaselineLine {
  std::string name, commit, actor, reason, promoted_at;
  bool anchor = false;
  TestbedFacts testbed;
  std::optional<double> clock_low_mhz, clock_high_mhz;  // of the GPU during the processes; absent: not known
  std::string suite, benchmark;
  double median_ns = 0;  // of the process medians, as all below
  double spread = 0;     // largest over smallest, less 1
  int processes = 0;
  std::vector<BaselineSession> sessions;
};

}  // namespace kernelgate::wire
