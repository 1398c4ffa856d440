// SPDX-License-Identifier: Apache-2.0
#pragma once

// A tuning report's findings in sentences, the most useful first. Private to core/ledger: conclude_tuning() calls it
// last. Pure.

#include <string>
#include <vector>

#include "core/wire/tuning.hpp"

namespace kernelgate::ledger {

[[nodiscard]] std::vector<std::string> findings_of(const wire::TuningReport& report);

// "-8.10 % [-9.00 %, -7.20 %]"
[[nodiscard]] std::string ratio_text(const wire::AttemptRatio& ratio);

}  // namespace kernelgate::ledger
