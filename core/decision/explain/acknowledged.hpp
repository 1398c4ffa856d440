// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regressions that somebody accepted. One holds while it stays what it was: neither the ratio to base nor head's own
// median may be slower than the accepted ones by more than the midpoint of tolerate and catch. The median keeps a
// second slowdown, on top of the first and against a base that has it, from hiding behind the acceptance. Pure.

#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

// Marks the regressions that are accepted, and says so; says too where one has gone beyond.
void acknowledge(std::span<const Acknowledgement> accepted, const Policy& policy, std::vector<Comparison>& comparisons,
                 std::vector<std::string>& notices);

}  // namespace kernelgate
