// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes of a distribution that its median hides: a growing tail, and a second mode. A warning, never a verdict.
// Input: the samples of each process of either side, as log times. The figure compared is each process's share of
// samples beyond a threshold (a process is one witness, however many samples it holds), by a t test whose variance is
// never below the binomial one. The threshold is the gap between two modes where a side has two, else kTailFrom above
// that side's median.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::shape {

inline constexpr double kTailFrom = 0.05;      // as a ratio above the median: a slow sample
inline constexpr double kShareMin = 0.05;      // smaller changes of the share are not reported
inline constexpr double kAlpha = 0.001;        // of the t test, two-sided
inline constexpr int kProcessesMin = 4;        // a side; fewer say nothing
inline constexpr double kModeSeparation = 4;   // of the modes' means, in their own widths
inline constexpr double kModeShift = 0.01;     // least distance of two modes, as a ratio
inline constexpr double kModeShareMin = 0.15;  // of the smaller mode
inline constexpr int kBins = 24;

enum class Kind { tail, modes };
[[nodiscard]] std::string_view to_string(Kind kind);

// Counts over equal bins in log time between the two limits; both sides share the bins.
struct Histogram {
  double low = 0, high = 0;  // log time
  std::vector<int> base, head;
};

struct Finding {
  Kind kind = Kind::tail;
  double base_share = 0, head_share = 0;  // of samples in the tail or in the slow mode
  double distance = 0;                    // modes: ratio of slow to fast, less 1; tail: kTailFrom
  double p = 1;
  Histogram histogram;
};

using ProcessSamples = std::vector<double>;  // log times of one process

// Errc::invalid: a sample that is not finite. No finding where a side has fewer than kProcessesMin processes.
[[nodiscard]] Result<std::optional<Finding>> find_change(std::span<const ProcessSamples> base,
                                                         std::span<const ProcessSamples> head);

}  // namespace kernelgate::shape
