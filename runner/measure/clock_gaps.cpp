// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/clock_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernelgate {
namespace {

// GPUs step their clock by about 0.8 % (15 of 1,980 MHz); a median that lies between two steps is no gap.
constexpr double kGapMin = 0.005;
constexpr std::size_t kPairsMin = 3;

std::string describe(std::vector<double> gaps, std::size_t pairs, const char* slower) {
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return fmt::format(
      "clock-coupled: in {} of {} pairs {} ran at a lower clock of the GPU (head against base {:+.1f} %); part of its "
      "time is the clock's",
      gaps.size(), pairs, slower, *middle * 100);
}

}  // namespace

void ClockGaps::add(const std::optional<double>& base, const std::optional<double>& head) {
  if (base && head && *base > 0) gaps_.push_back(*head / *base - 1);
}

std::string ClockGaps::notice() const {
  std::vector<double> lower, higher;
  for (const double gap : gaps_) {
    if (gap <= -kGapMin) lower.push_back(gap);
    if (gap >= kGapMin) higher.push_back(gap);
  }
  if (lower.size() >= std::max(kPairsMin, higher.size())) return describe(lower, gaps_.size(), "head");
  if (higher.size() >= kPairsMin) return describe(higher, gaps_.size(), "base");
  return {};
}

}  // namespace kernelgate
