// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate simulate`: alarm rates of decision rules where the truth is known. Computes, prints nothing.

#include <cstdint>
#include <string>
#include <vector>

#include "core/simulation/rules.hpp"
#include "core/units/result.hpp"

namespace kernelgate::local {

struct SimulateOptions {
  std::vector<std::string> rules{"ours"};  // "all": every rule
  std::vector<double> true_shifts{0, 0.01, 0.03};
  int trials = 4000;
  std::uint64_t seed = 20261121;
  simulation::Setting setting{};
};

// Where a policy's band is given.
inline constexpr const char* kBandFlags = "--tolerate, --catch";

// Errc::invalid: an unknown rule, a shift at or below -1, trials outside 1 to a million, looks that are not even and
// ascending, no band, noise or a factor that is not above 0 and finite.
[[nodiscard]] Result<std::vector<simulation::Rates>> simulate_rules(const SimulateOptions& options);

// {"schema":1,"results":[{"rule","true","trials","regressed",…}]}: rates as fractions, each with its interval.
[[nodiscard]] std::string simulation_json(const SimulateOptions& options,
                                          const std::vector<simulation::Rates>& results);
[[nodiscard]] std::string simulation_table(const SimulateOptions& options,
                                           const std::vector<simulation::Rates>& results);

}  // namespace kernelgate::local
