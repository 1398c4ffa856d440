// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a list of attempts amounts to: outcomes, constraints, failures that are one bug, findings, cost, what is left to
// try; and the page that says it. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/tuning.hpp"

namespace kernelgate::ledger {

// Fills all that follows from attempts, landed runs, suites and testbeds.
void conclude_tuning(wire::TuningReport& report);

// GitHub's markdown; foreign text is escaped.
[[nodiscard]] std::string tuning_markdown(const wire::TuningReport& report);

// The table of its section "Attempts", with head.
[[nodiscard]] std::string attempts_markdown(const std::vector<wire::Attempt>& attempts);

// The points of each commit and suite: the fastest that works, and what the failing ones have in common.
[[nodiscard]] std::vector<wire::TuningSweep> sweeps_in(const std::vector<wire::Attempt>& attempts);

// The benchmark that stands for all: of an attempt that lost the slowest, else the fastest.
[[nodiscard]] std::optional<wire::AttemptRatio> shown_ratio(const wire::Attempt& attempt);

// How people call it: branch, point, short commit; an idea without a branch by its number alone.
[[nodiscard]] std::string name_of(const wire::Attempt& attempt);
[[nodiscard]] double seconds_of(const wire::AttemptCost& cost);

}  // namespace kernelgate::ledger
