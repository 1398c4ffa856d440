// SPDX-License-Identifier: Apache-2.0
#pragma once

// Benchmarks that are too unstable here to decide: their timing verdicts are shown and fail no run. What is wrong, ends
// before its time, is too fast to be true or is missing is no matter of noise, and decides as ever. Pure.

#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// Marks the comparisons of quarantined benchmarks, and says so.
void set_aside(std::span<const Quarantine> quarantined, std::vector<Comparison>& comparisons,
               std::vector<std::string>& notices);

// Whether quarantine keeps this comparison out of the conclusion.
[[nodiscard]] bool is_set_aside(const Comparison& comparison);

// The others.
[[nodiscard]] std::vector<Comparison> deciding(const std::vector<Comparison>& comparisons);

}  // namespace kernelgate
