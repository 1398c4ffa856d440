// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is said once for a whole suite or run, beside the verdicts. Decides nothing.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

// Appends: "shared code or build" where the suite's median moved, missing benchmarks, growth of the numerical error,
// disturbed processes that were kept.
void add_notices(const SuiteEvidence& suite, const Policy& policy, const std::vector<Comparison>& comparisons,
                 std::vector<std::string>& notices);

// Parts of the suite that moved together: a finding each, and one notice.
void add_regions(const SuiteEvidence& suite, const std::vector<Comparison>& comparisons, RunDecision& out);

// "1 of 12 benchmarks regressed: gemm/64 +41.20 %" and the counts of the others.
[[nodiscard]] std::string summary_of(const RunDecision& decision);

// ": text" of a build log's first line that names an error, else of its last that is not empty;
// empty if there is none.
[[nodiscard]] std::string telling_line(std::string_view text);

}  // namespace kernelgate
