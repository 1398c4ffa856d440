// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark's history read as a whole: where its level moved for good, and whether it is creeping now. The two
// compete: a slope looks like a few small steps, and two steps look like a slope. Each stretch from a change point to
// the last point is fitted by a hinge and by its steps, and the fit with the better Bayesian information criterion
// counts. Steps that the creep explains are left out. Deterministic.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/history/change_points.hpp"
#include "core/history/creep.hpp"
#include "core/units/result.hpp"

namespace kernelgate::history {

struct Trend {
  std::vector<ChangePoint> changes;
  std::optional<Creep> creep;  // up to the last point; its start is an index of the whole history
};

// Errc::invalid: a value that is not finite.
[[nodiscard]] Result<Trend> find_trend(std::span<const double> log_times, const ChangePointOptions& steps = {},
                                       const CreepOptions& creep = {});

// Those changes of `trend` that the history did not show before its last point.
[[nodiscard]] Result<std::vector<ChangePoint>> newly_confirmed(std::span<const double> log_times, const Trend& trend,
                                                               const ChangePointOptions& steps = {});

}  // namespace kernelgate::history
