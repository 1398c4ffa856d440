// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warning beside a verdict: the samples' distribution changed in a way that their median hides (core/shape). Never a
// verdict. Looks at the processes that the comparison's round used.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// Sets Comparison::distribution of each timed comparison of this suite where tails or modes changed.
void fill_distribution_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons);

// One notice a changed benchmark, three at most, with the counts of both histograms.
void add_distribution_notices(const SuiteEvidence& suite, const std::vector<Comparison>& comparisons,
                              std::vector<std::string>& notices);

}  // namespace kernelgate
