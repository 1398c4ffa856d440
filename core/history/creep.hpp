// SPDX-License-Identifier: Apache-2.0
#pragma once

// Slow creep: many small steps in one direction, none of them a change point of its own. A history is fitted by a level
// that begins to slope at one point (a hinge) and, for comparison, by one step; the hinge must explain it better, its
// slope must be beyond chance and the rise as a whole beyond the tolerated. O(n), deterministic.

#include <cstddef>
#include <optional>
#include <span>

#include "core/units/result.hpp"

namespace kernelgate::history {

struct CreepOptions {
  std::size_t min_points = 6;  // of the sloping part
  double tolerate = 0.01;      // a rise up to this ratio is noise
  double alpha = 0.001;        // chance of a false report in a history of independent, level points
};

struct Creep {
  std::size_t start = 0;  // the last point of the old level: the first step came after it
  double ratio = 1;       // exp(rise from start to the last point); below 1: it became faster
  double ratio_per_point = 1;
  double p = 1;  // corrected for the choice of the start
};

// Errc::invalid: a value that is not finite.
[[nodiscard]] Result<std::optional<Creep>> find_creep(std::span<const double> log_times,
                                                      const CreepOptions& options = {});

}  // namespace kernelgate::history
