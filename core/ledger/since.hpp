// SPDX-License-Identifier: Apache-2.0
#pragma once

// How people say since when: a day, an instant in UTC, or how long ago. Pure.

#include <string_view>

#include "core/units/result.hpp"
#include "core/units/time.hpp"

namespace kernelgate::ledger {

// "2026-11-03", "2026-11-03T10:00:00Z" (with milliseconds, as the API gives them, too), "14d", "48h". Errc::invalid:
// anything else.
[[nodiscard]] Result<Instant> parse_since(std::string_view text, Instant now);

}  // namespace kernelgate::ledger
