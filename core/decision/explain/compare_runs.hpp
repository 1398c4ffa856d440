// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two finished runs compared with each other, and how well that can be done: one of them may have timed both commits,
// both may have been timed against the same base, or neither. Pure; a verdict comes from a run that gave it, or there
// is none.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/units/enum_words.hpp"

namespace kernelgate {

// How a ratio came about, from the best down.
enum class Pairing {
  paired,       // both commits were timed in turn in one run
  common_base,  // each was timed in turn with the same base, in a run of its own: the ratio of the two ratios
  not_paired,   // timed in runs of their own: whatever changed between the two is part of the ratio
};
void spelled_as_named(Pairing);

struct ComparedRun {
  std::string commit, base_commit, testbed;
  std::int64_t epoch = 0;
  std::span<const Comparison> comparisons;
};

struct CrossComparison {
  std::string suite, benchmark;
  Pairing pairing = Pairing::not_paired;
  std::optional<Verdict> verdict{};
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};  // head over base; no interval where nothing was paired
  std::optional<double> base_median_ns{}, head_median_ns{};
  double tolerate = 0, catch_limit = 0;  // the band of the run it is from
};

// How two runs can be compared. Two testbeds are never paired: what one of them timed of both commits says nothing
// about the machines.
[[nodiscard]] Pairing pairing_of(const ComparedRun& base, const ComparedRun& head);

// Every benchmark of either run, base's order first.
[[nodiscard]] std::vector<CrossComparison> compare_runs(const ComparedRun& base, const ComparedRun& head);

}  // namespace kernelgate
