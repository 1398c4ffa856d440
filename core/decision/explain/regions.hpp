// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which part of a suite moved together: hundreds of rows of shapes are one finding where all of "bf16, K < 512" got
// slower and the others did not. A region is one condition or two: a part of the names between slashes ("bf16",
// "K:256") or a range of one of their sizes ("K < 512"; name_parts.hpp says what a size is). Decides nothing.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate {

inline constexpr int kRegionLeast = 3;          // benchmarks
inline constexpr double kRegionInside = 0.9;    // least share of a region that moved
inline constexpr double kRegionOutside = 0.25;  // largest share of the rest that moved the same way

// Regions of one suite's timed comparisons with the verdict (regressed or improved), the one that explains most first;
// each explains at least kRegionLeast benchmarks that the ones before do not. The whole suite is no region.
[[nodiscard]] std::vector<RegionResult> find_regions(const std::vector<Comparison>& comparisons, Verdict verdict);

// "bs:64, density:0.5: 12 of 12 benchmarks regressed (median +4.10 %), 0 elsewhere"
[[nodiscard]] std::string region_text(const RegionResult& region);

}  // namespace kernelgate
