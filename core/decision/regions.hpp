// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which part of a suite moved together: hundreds of rows of shapes are one finding where all of "bs:64" got slower and
// the others did not. Benchmarks are grouped by the parts of their names between slashes. Decides nothing.

#include <string>
#include <vector>

#include "core/decision/comparison.hpp"

namespace kernelgate {

inline constexpr int kRegionLeast = 3;          // benchmarks
inline constexpr double kRegionInside = 0.9;    // least share of a region that moved
inline constexpr double kRegionOutside = 0.25;  // largest share of the rest that moved the same way

struct Region {
  std::vector<std::string> parts;  // one or two, as they stand in the names
  Verdict verdict = Verdict::regressed;
  int members = 0, moved = 0;  // timed benchmarks in the region, and those with the verdict
  int others_moved = 0;        // with the verdict, outside
  double median_ratio = 1;     // of those that moved
};

// Regions of one suite's timed comparisons with the verdict (regressed or improved), the one that explains most first;
// each explains benchmarks that the ones before do not. The whole suite is no region.
[[nodiscard]] std::vector<Region> find_regions(const std::vector<Comparison>& comparisons, Verdict verdict);

// "bs:64, density:0.5: 12 of 12 benchmarks regressed (median +4.10 %), 0 elsewhere"
[[nodiscard]] std::string region_text(const Region& region);

}  // namespace kernelgate
