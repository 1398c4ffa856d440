// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of a run's page that shows changes of a distribution: both histograms side by side as a table, whose bars
// are meters that a screen reader reads out. Pure.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate::api {

// HTML; empty where no comparison has such a change.
[[nodiscard]] std::string distribution_section(const std::vector<Comparison>& comparisons);

}  // namespace kernelgate::api
