// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the points of a benchmark's main line say together (core/history), added to it. Pure.

#include <vector>

#include "core/units/result.hpp"
#include "core/wire/history.hpp"
#include "db/baselines/anchors.hpp"

namespace kernelgate::service {

// Sets changes and creep from the points.
[[nodiscard]] Status add_trend(wire::BenchmarkHistory& history);

// After add_trend: those changes that the last point confirmed.
[[nodiscard]] Result<std::vector<wire::HistoryChange>> newly_confirmed(const wire::BenchmarkHistory& history);

// Sets start_ns: the level that ratios to an epoch's start are of.
void add_start(wire::BenchmarkHistory& history);

// The newest point, and the ratio of each, over the anchored figure; a benchmark that the baseline does not have is
// left alone.
[[nodiscard]] Status compare_with_anchor(wire::BenchmarkHistory& history, const db::Anchor& anchor);

// Why nothing is compared although a baseline is anchored; empty: there is no such reason.
[[nodiscard]] std::string note_of(const db::AnchorLookup& lookup);

}  // namespace kernelgate::service
