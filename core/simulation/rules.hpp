// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decision rules run against simulated benchmarks: our own code as the product uses it, and the peers' rules written
// from their documentation and sources (docs/STATISTICS.md names each). A peer knows slower, faster and "no alarm"; the
// last counts as unchanged.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/policy.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/simulation/noise_model.hpp"

namespace kernelgate::simulation {

struct Setting {
  Policy policy;
  double noise = 1;                   // scale of the noise model
  bool history = true;                // ours: a stored variance of 15 degrees of freedom
  double stored_variance_factor = 1;  // ours: how wrong the stored variance is
  std::vector<int> looks;             // ours; empty: the product's own schedule
  int repetitions = 9;                // of a process, ours
};

struct Outcome {
  Verdict verdict = Verdict::undecided;
  int processes = 0;    // new ones, stored baselines not counted
  double estimate = 0;  // ours: the log ratio shown, from the pairs up to the stop
};

// One trial: a fresh benchmark with the true shift `effect` (log). The same random state gives the same outcome.
using RuleTrial = Outcome (*)(const Setting& setting, double effect, Random& random);

struct SimulatedRule {
  std::string_view name;
  std::string_view what;  // one line for people
  RuleTrial run;
};

// ours first. Also finds the ideas of tried.hpp, by name alone.
[[nodiscard]] std::span<const SimulatedRule> simulated_rules();
[[nodiscard]] const SimulatedRule* find_simulated_rule(std::string_view name);

// Rates of one rule at one true ratio, as fractions of the trials.
struct Rates {
  std::string rule;
  double true_shift = 0;  // as a ratio less 1: 0.03
  int trials = 0;
  int regressed = 0, improved = 0, unchanged = 0, undecided = 0, suspected = 0;  // counts
  double processes = 0;                                                          // mean
  // ours: the ratio shown (less 1), the mean over all trials and over those that ended regressed
  double estimate = 0, estimate_regressed = 0;
};
[[nodiscard]] Rates simulate(const SimulatedRule& rule, const Setting& setting, double true_shift, int trials,
                             std::uint64_t seed);

// Wilson's score interval of a proportion, 95 %.
struct Proportion {
  double rate = 0, low = 0, high = 0;
};
[[nodiscard]] Proportion wilson(int count, int trials);

}  // namespace kernelgate::simulation
