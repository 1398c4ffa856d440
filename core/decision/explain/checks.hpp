// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the check cases say beyond passed or failed: growth of the numerical error, so that "8 %
// faster, error x4" is one verdict and not two pages.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

struct ErrorGrowth {
  std::string name;  // check case
  double base = 0;   // rel_err
  double head = 0;
  double factor = 0;
};

// The cases that passed on both sides and whose error grew by policy.error_growth or more, worst
// first. An error below the rounding of a double counts as that rounding.
[[nodiscard]] std::vector<ErrorGrowth> error_growths(const SuiteEvidence& suite, const Policy& policy);

// The largest growth among the cases that belong to a benchmark: those whose names share the most leading parts with
// its own, or all where none shares any. Nothing without a case that passed on both sides. The factor may be below 1.
[[nodiscard]] std::optional<ErrorGrowth> error_growth_of(const SuiteEvidence& suite, std::string_view benchmark);

// Numbers and speed in one verdict: fills error_factor of what was timed, and says a growth in the reason.
void add_error_factors(const SuiteEvidence& suite, const Policy& policy, std::vector<Comparison>& comparisons);

// Why head's checks failed, one entry a case: the recorded failures, else what the check cases say.
[[nodiscard]] std::vector<CaseFailure> check_failures(const SuiteEvidence& suite);

}  // namespace kernelgate
