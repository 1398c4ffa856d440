// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run cost in seconds of the device and in money, and what stopping early saved. Decides nothing. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

struct RunCost {
  double held_s = 0;                     // the device was ours: checks and measuring, builds left out
  double used_s = 0;                     // processes that were timed
  double saved_s = 0;                    // of the budget of pairs, by stopping early
  std::optional<double> price_per_hour;  // of the device; absent: the runner names none
  [[nodiscard]] std::optional<double> money(double seconds) const;
};

// All pairs that the policy allows, each as long as the suite's first one, less what its processes took; the budget of
// seconds bounds it. A suite without a whole pair saved nothing.
[[nodiscard]] double seconds_saved(std::span<const Process> processes, int max_pairs, double gpu_seconds);

// "9.1 s used of 12.3 s held, 21 s saved by stopping early; 0.0120 at 3.50 an hour"
[[nodiscard]] std::string describe(const RunCost& cost);

}  // namespace kernelgate
