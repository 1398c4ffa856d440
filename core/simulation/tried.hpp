// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ideas from the literature tried against our rule, so that anyone can repeat the figures of docs/adr/0008 and 0009.
// The same noise, band and last look; none of them judges a run.

#include <span>

#include "core/simulation/rules.hpp"

namespace kernelgate::simulation {

[[nodiscard]] std::span<const SimulatedRule> tried_rules();

}  // namespace kernelgate::simulation
