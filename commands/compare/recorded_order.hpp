// SPDX-License-Identifier: Apache-2.0
#pragma once

// When result files were recorded, and whether base and head took turns. Private to commands/compare. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::local {

// Milliseconds since the epoch: context.date of Google Benchmark, datetime of pytest-benchmark; none where the text
// says nothing or no time.
[[nodiscard]] std::optional<std::int64_t> recorded_at_ms(std::string_view text);

// Why the pairs of these files prove no change: another file lies between the two of a pair in time. Empty: they took
// turns, or a file says no time, or there is one pair.
[[nodiscard]] std::string why_unproven(std::span<const Process> base, std::span<const Process> head);

}  // namespace kernelgate::local
