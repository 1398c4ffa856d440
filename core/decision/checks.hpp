// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the check cases say beyond passed or failed: growth of the numerical error, so that "8 %
// faster, error x4" is one verdict and not two pages.

#include <string>
#include <vector>

#include "core/decision/evidence.hpp"
#include "core/decision/policy.hpp"

namespace kernelgate {

struct ErrorGrowth {
  std::string name;  // check case
  double base = 0;   // rel_err
  double head = 0;
  double factor = 0;
};

// The cases that passed on both sides and whose error grew by more than policy.error_growth, worst
// first. An error below the rounding of a double counts as that rounding.
[[nodiscard]] std::vector<ErrorGrowth> error_growths(const SuiteEvidence& suite, const Policy& policy);

// Why head's checks failed, one entry a case: the recorded failures, else what the check cases say.
[[nodiscard]] std::vector<CaseFailure> check_failures(const SuiteEvidence& suite);

}  // namespace kernelgate
