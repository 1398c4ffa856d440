// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the pairs of one suite, taken without stopping, to what the rule would have said of them. Pure.

#include <span>
#include <vector>

#include "core/decision/decide.hpp"
#include "service/baselines/calibrations.hpp"

namespace kernelgate::local {

// Each benchmark's pairs are cut into trials: one begins where the last stopped, at an even pair, as long as max_pairs
// are left, so that no trial is cut short; each is judged by decide_suite with these stored variances. A trial is one
// pass: suspected is not run once more.
[[nodiscard]] std::vector<service::CalibratedBenchmark> count_trials(const SuiteEvidence& suite, const Policy& policy,
                                                                     std::span<const StoredVariance> stored,
                                                                     double injected);

// Clopper-Pearson at 95 %.
struct Rate {
  double low = 0, estimate = 0, high = 1;
};
[[nodiscard]] Rate rate_of(int hits, int trials);

}  // namespace kernelgate::local
