// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verdict, figures and words of a benchmark that was compared with a stored baseline, and what is said once of all
// of a suite's. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/rule/stored.hpp"
#include "core/decision/suite_view.hpp"

namespace kernelgate {

// Nothing in `judged`: why not is said, and the verdict is undecided.
[[nodiscard]] Comparison against_stored(const SuiteView& view, const std::string& benchmark,
                                        const std::optional<StoredJudgement>& judged);

// "+1.20 % [-0.40 %, +2.80 %] against 24 sessions"
[[nodiscard]] std::string shift_text(const StoredJudgement& judged);

// Which baseline it was, what it cleared and what that saved, or why it could not be used.
void add_stored_notices(const SuiteEvidence& suite, const Policy& policy, std::span<const StoredVariance> variances,
                        const std::vector<Comparison>& comparisons, std::vector<std::string>& notices);

}  // namespace kernelgate
