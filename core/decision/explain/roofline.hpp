// SPDX-License-Identifier: Apache-2.0
#pragma once

// How near the GPU's limits a benchmark came, and when a time is too good to be true. Works on the counters `flops`
// and `bytes` (of one call) that a suite states; a benchmark without them is left alone. Pure.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// A time is invalid below what the datasheet's peak allows by this factor: counters and clocks are not exact.
inline constexpr double kBeyondPeak = 1.05;

// The data type that a benchmark's name states ("gemm/bf16/4096"), as a key of Ceilings::flops; empty: none.
[[nodiscard]] std::string data_type_of(std::string_view benchmark);

// A part of the name is "cold": the benchmark's operands come from memory, not from the cache.
[[nodiscard]] bool is_cold(std::string_view benchmark);

// Of one call, as the suite's counters and the benchmark's name state it.
struct Work {
  double flops = 0, bytes = 0;
  double footprint_bytes = 0;  // what the operands take up
  double seconds = 0;
  double clock_mhz = 0;  // measured by the benchmark itself; 0: not known
  std::string type;      // data type; empty: not stated
  bool cold = false;
};
[[nodiscard]] Work work_of(std::string_view benchmark, const std::map<std::string, double>& counters, double seconds);

// The roof is the lower of what memory (or, for operands that the L2 holds, the L2) and the data type's unit allow,
// from the measured rates. Nothing where the rates that are needed are not known.
[[nodiscard]] std::optional<RoofPosition> roof_position(const Work& work, const Ceilings& ceilings);

// FLOP/s that a roof allows at an intensity; nothing where its rate is not known.
[[nodiscard]] std::optional<double> roof_rate(const Ceilings& ceilings, const std::string& roof, double intensity);
// That roof's rate grows with the intensity: memory and L2.
[[nodiscard]] bool is_memory_roof(std::string_view roof);

// Why the GPU cannot have done this work in this time; empty: it can. Memory counts for cold benchmarks larger than
// the L2 alone. Without a stated data type the fastest one counts; the clock counts where the benchmark measured it.
[[nodiscard]] std::string why_impossible(const Work& work, const Ceilings& ceilings);

// Fills `roof`; head beyond the peak becomes invalid, base beyond it leaves nothing to compare with: undecided.
void compare_with_roofs(const SuiteEvidence& suite, const Ceilings& ceilings, std::vector<Comparison>& comparisons);

}  // namespace kernelgate
