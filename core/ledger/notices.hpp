// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the ledger says about an attempt, in sentences. Pure.

#include <string>
#include <vector>

#include "core/wire/attempts.hpp"

namespace kernelgate::ledger {

// "#3", "#3 and #5", "#3, #5 and 4 more".
[[nodiscard]] std::string numbers_of(const std::vector<std::int64_t>& attempts);

// One sentence for each failure that others show too, and for each kind of thing that was tried before.
[[nodiscard]] std::vector<std::string> notices_of(const std::vector<wire::AlikeAttempt>& alike);

}  // namespace kernelgate::ledger
