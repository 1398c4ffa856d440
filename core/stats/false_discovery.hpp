// SPDX-License-Identifier: Apache-2.0
#pragma once

// Benjamini-Hochberg adjusted p values (q values): shown beside verdicts, deciding nothing.

#include <span>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::stats {

// In the order of `p_values`; each must lie in 0 to 1. An empty list gives an empty list.
[[nodiscard]] Result<std::vector<double>> benjamini_hochberg(std::span<const double> p_values);

}  // namespace kernelgate::stats
