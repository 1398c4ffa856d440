// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one argument of a check program. Pure.

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace kernels {

// A whole number, decimal or 0x; nothing for anything else.
[[nodiscard]] inline std::optional<std::uint64_t> parse_seed(const char* text) {
  char* end = nullptr;
  const std::uint64_t seed = std::strtoull(text, &end, 0);
  if (*text < '0' || *text > '9' || *end != '\0') return std::nullopt;
  return seed;
}

}  // namespace kernels
