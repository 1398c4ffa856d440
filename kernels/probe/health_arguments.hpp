// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arguments of kg_probe_health. Pure.

#include <cstdlib>
#include <optional>
#include <string_view>

namespace kernels {

inline constexpr double kHealthLimitS = 10;

// Seconds that the GPU has to answer; nothing for arguments that are not understood.
[[nodiscard]] inline std::optional<double> health_limit_s(int count, const char* const* arguments) {
  if (count == 1) return kHealthLimitS;
  if (count != 3 || std::string_view(arguments[1]) != "--limit-s") return std::nullopt;
  char* end = nullptr;
  const double seconds = std::strtod(arguments[2], &end);
  if (end == arguments[2] || *end != '\0' || !(seconds >= 1 && seconds <= 600)) return std::nullopt;
  return seconds;
}

}  // namespace kernels
