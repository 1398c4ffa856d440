// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kinds of noise that a rule made for independent, roughly normal pairs may fail at, each named. A trial takes pairs in
// the product's own order, judges them by the product's own rule with or without stored comparisons, and measures a
// suspected benchmark once more. docs/DECISION_RULE.md shows the table that `kernelgate simulate --scenario all`
// prints.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/decision/evidence/policy.hpp"

namespace kernelgate::simulation {

// Of the log times of processes; what is 0 is absent.
struct NoiseKind {
  double process_sd = 0.005;
  double degrees = 0;                            // process noise is Student's t with these; 0: normal
  double mode_shift = 0, mode_share = 0;         // processes in the slower mode
  double outlier_shift = 0, outlier_share = 0;   // processes far off
  double drift = 0;                              // of 32 processes, linear
  double walk_sd = 0;                            // random walk, a process
  double period = 0, amplitude = 0;              // in processes, from a random phase
  double pair_sd = 0, pair_phi = 0;              // AR(1) of the differences of pairs, in place of the processes' noise
  double head_factor = 1;                        // head's process_sd over base's, in this run alone
  double layout = 0;                             // each build is off by up to this
  double run_spread = 0;                         // log-normal: process_sd differs from run to run
  double repetition_sd = 0, repetition_phi = 0;  // AR(1) within a process
  double clock_step = 0;                         // over the time of a repetition
};

struct Scenario {
  std::string_view name;
  std::string_view what;  // one line for people
  NoiseKind noise;
  double stored_factor = 1;  // how wrong the stored variance is
};
[[nodiscard]] std::span<const Scenario> scenarios();
[[nodiscard]] const Scenario* find_scenario(std::string_view name);

// Counts of trials at one true ratio, after the rerun of suspected benchmarks.
struct ScenarioRates {
  double true_shift = 0;
  int trials = 0, regressed = 0, improved = 0, open = 0;
  double processes = 0;  // mean
};
[[nodiscard]] ScenarioRates simulate_scenario(const Scenario& scenario, const Policy& policy, bool history,
                                              double true_shift, int trials, std::uint64_t seed);

}  // namespace kernelgate::simulation
