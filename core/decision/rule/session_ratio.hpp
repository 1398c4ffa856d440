// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much slower one commit is than another, each timed alone in sessions of its own. The session is the unit: what
// differs from one to the next (temperature, memory layout, whatever the machine does) is in each of them. Pure.

#include <optional>
#include <span>

namespace kernelgate {

struct SessionRatio {
  double ratio = 1;                 // of time: b over a
  std::optional<double> low, high;  // 99 %, by Welch; absent: fewer than two sessions on a side
};

// Each figure is the mean of one session's log times. Both sides hold at least one.
[[nodiscard]] SessionRatio session_ratio(std::span<const double> a, std::span<const double> b);

}  // namespace kernelgate
