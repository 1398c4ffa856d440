// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether two decisions say the same: verdicts, looks, and figures to 12 digits. Words do not count: another program
// may say a thing otherwise. Pure.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate::bundle {

// To 1e-12 of the larger; or to 1e-13, which is what the last bits of a logarithm are worth where two of them cancel.
[[nodiscard]] bool same_figure(double a, double b);

// One readable line for each thing that differs, 100 at most; none: they say the same.
[[nodiscard]] std::vector<std::string> differences(const RunDecision& stored, const RunDecision& replayed);

}  // namespace kernelgate::bundle
