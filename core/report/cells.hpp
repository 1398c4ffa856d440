// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words and figures of one comparison as the table and the markdown show them. For core/report and commands/output.

#include <cstddef>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate::report {

[[nodiscard]] std::string verdict_cell(const Comparison&);       // "regressed, small"
[[nodiscard]] std::string direction_cell(const Comparison&);     // slower, faster, or "–": 1 is inside
[[nodiscard]] std::string ratio_cell(const Comparison&);         // "1.412 [1.380, 1.445]"
[[nodiscard]] std::string significance_cell(const Comparison&);  // "q 0.002", "p 0.03", "n too small"
[[nodiscard]] std::string pairs_cell(const Comparison&);
[[nodiscard]] std::string times_cell(const Comparison&);  // "12.3 µs → 17.4 µs", or empty

// The kernels of a benchmark by the device's clock, the one that changed most first; empty where they tell nothing new.
// "fill 256,1,1: 991 ns → 1.13 µs, 1.143 [1.140, 1.147], regressed"
[[nodiscard]] std::vector<std::string> kernel_lines(const Comparison&, std::size_t most);

// Worst first, then by suite, then as given: what a reader must see stands on top.
[[nodiscard]] std::vector<Comparison> in_reading_order(std::vector<Comparison> comparisons);

[[nodiscard]] std::string counts_of(const std::vector<Comparison>& comparisons);  // "1 regressed, 3 unchanged"

// The decision's own summary; without one, "1 regressed, 3 unchanged" and the reason.
[[nodiscard]] std::string words_of(const RunDecision& decision);

}  // namespace kernelgate::report
