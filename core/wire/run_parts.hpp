// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run consists of, page by page, and what it cost.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/strong.hpp"
#include "core/units/time.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

struct ComparisonPage {
  std::vector<Comparison> comparisons;
  std::optional<std::string> next;
};

struct StoredProcess {
  int generation = 0;  // of the run's leases
  bool superseded = false;
  Instant stored_at{};
  Process process;
};
struct ProcessPage {
  std::vector<StoredProcess> processes;
  std::optional<std::string> next;
};

struct CheckPage {
  std::vector<CheckCase> checks;
  std::optional<std::string> next;
};

struct LogInfo {
  std::string name;
  Bytes bytes;           // of the kept text
  Bytes original_bytes;  // before the cut
  Instant stored_at{};
};
struct LogPage {
  std::vector<LogInfo> logs;
  std::optional<std::string> next;
};

// Where a benchmark stands under the roofs. FLOP/s; absent where the roof's rate is not known.
struct RoofPoint {
  std::string suite, benchmark;
  Verdict verdict = Verdict::unchanged;
  double intensity = 0;  // FLOP per byte
  double fraction = 0;   // of the roof there
  std::string roof;      // what limits: dram, l2 or a data type's unit
  std::optional<double> rate, roof_rate;
};
// A line of the picture.
struct Roof {
  std::string roof;
  bool is_memory = false;      // its rate grows with the intensity
  std::optional<double> rate;  // FLOP/s; of a memory roof at 1 FLOP per byte
};
struct RunCeilings {
  std::optional<Ceilings> ceilings;
  std::vector<RoofPoint> points{};
  std::vector<Roof> roofs{};  // that limit a point, memory first
};

struct CountedKernel {
  std::string suite;
  KernelProfile profile;
};
struct RunCounters {
  std::vector<CountedKernel> counters;
  std::optional<std::string> next;
};

struct BenchmarkCost {
  std::string suite, benchmark;
  double gpu_s = 0;
  std::optional<double> cost;
};
struct Cost {
  double gpu_s_held = 0, gpu_s_used = 0, seconds_saved = 0;
  std::optional<double> price_per_hour, cost_held, cost_used;
  std::vector<BenchmarkCost> benchmarks;
};

// The data of an event "run": it changed.
struct RunEvent {
  RunId id;
  std::string repository, commit;
  RunState state = RunState::queued;
  std::optional<Conclusion> conclusion;
  std::string progress;
};

}  // namespace kernelgate::wire
