// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate simulate --scenario`: the product's rule under kinds of noise that it was not made for, with and without
// stored comparisons. Computes, prints nothing.

#include <cstdint>
#include <string>
#include <vector>

#include "core/simulation/scenarios.hpp"
#include "core/units/result.hpp"

namespace kernelgate::local {

struct ScenarioOptions {
  std::vector<std::string> names;  // "all": every one
  int trials = 4000;
  std::uint64_t seed = 20261121;
  Policy policy{};
};

// One scenario at no shift, at tolerate and at catch, with stored comparisons and without.
struct ScenarioRow {
  const simulation::Scenario* scenario = nullptr;
  std::vector<simulation::ScenarioRates> stored{}, alone{};
};

[[nodiscard]] Result<std::vector<ScenarioRow>> run_scenarios(const ScenarioOptions& options);
[[nodiscard]] std::string scenario_table(const ScenarioOptions& options, const std::vector<ScenarioRow>& rows);
[[nodiscard]] std::string scenario_json(const ScenarioOptions& options, const std::vector<ScenarioRow>& rows);

}  // namespace kernelgate::local
