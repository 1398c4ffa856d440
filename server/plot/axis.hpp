// SPDX-License-Identifier: Apache-2.0
#pragma once

// The axis of changes: linear about no change and logarithmic further out (asinh), so that 1 % and a factor of 3 fit
// one picture. The dashboard draws the same one (dashboards/src/lib/axis.ts); tests/golden/plot/axis.json holds both.
// Pure.

#include <span>
#include <string>
#include <vector>

namespace kernelgate::plot {

struct ChangeAxis {
  double reach = 0.06;  // of the log ratio, to either side
  double bend = 0.03;   // where linear becomes logarithmic
};

// Every ratio fits, up to a factor of 20 to either side.
[[nodiscard]] ChangeAxis axis_of(std::span<const double> ratios, double catch_limit);

// Where a ratio lies, 0 to 1; what is beyond the axis lies at its end.
[[nodiscard]] double place_of(const ChangeAxis& axis, double ratio);

// Ratios whose labels stand apart, ascending; no change is among them.
[[nodiscard]] std::vector<double> ticks_of(const ChangeAxis& axis);

// "+3%", "−3%" for its inverse, "×5", "÷5".
[[nodiscard]] std::string tick_text(double ratio);

}  // namespace kernelgate::plot
