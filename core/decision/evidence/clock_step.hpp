// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a clock that moves in steps leaves of a process's figure. Samples that lie on few distinct values show the step;
// a median of them counts ties as spread over one step.

#include <span>
#include <vector>

namespace kernelgate {

// The least distance between distinct samples of one side, where they repeat within processes often enough to be steps
// of a clock; 0: none is seen. Nanoseconds, process by process.
[[nodiscard]] double clock_step_ns(std::span<const std::vector<double>> processes);

// The log of the median, values within half a step counted as spread evenly over the step.
[[nodiscard]] double grouped_median_log(std::span<const double> samples_ns, double step_ns);

}  // namespace kernelgate
