// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands print of a judged run with --format json: the API's messages and what only the command knows.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/messages.hpp"

namespace kernelgate::wire {

// A comparison, and after how many pairs live stopping would have decided it.
struct PrintedComparison {
  Comparison comparison;  // its members stand beside live_pair
  std::optional<int> live_pair;
};

struct PrintedCost {
  double gpu_s_held = 0, gpu_s_used = 0, seconds_saved = 0;
  std::optional<double> price_per_hour, cost_held, cost_used;
};

struct PrintedLive {
  int pairs = 0, processes = 0, given_pairs = 0, given_processes = 0, open = 0;
};

struct ReportDocument {
  int schema = 1;
  Conclusion conclusion = Conclusion::passed;
  int exit_code = 0;
  std::string title, reason, summary;
  std::vector<std::string> notices;
  double expected_false_alarms = 0;
  std::optional<double> gpu_s, wall_s;
  std::optional<PrintedCost> cost;
  std::vector<PrintedComparison> comparisons;
  std::optional<PrintedLive> live;
  std::vector<WorkloadResult> workloads;
  std::vector<RegionResult> regions;
};

}  // namespace kernelgate::wire
