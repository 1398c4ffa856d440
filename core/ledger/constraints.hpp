// SPDX-License-Identifier: Apache-2.0
#pragma once

// Points of a sweep, and what those that fail have in common. Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::ledger {

using PointValues = std::map<std::string, std::string>;  // by axis

[[nodiscard]] std::string point_name(const PointValues& values);     // "BLOCK_M=64 STAGES=2"
[[nodiscard]] std::string point_defines(const PointValues& values);  // "-DBLOCK_M=64 -DSTAGES=2"
[[nodiscard]] PointValues parse_point(std::string_view text);        // of either; words without '=' are left out

struct TriedPoint {
  PointValues values;   // the same axes in every point
  std::string outcome;  // in words
  bool failed = false;
};

// "every BLOCK_M other than 64 fails (4 points: misaligned address)": single values first, then pairs of values that
// fail together though neither fails alone.
[[nodiscard]] std::vector<std::string> constraints_of(const std::vector<TriedPoint>& points);

}  // namespace kernelgate::ledger
