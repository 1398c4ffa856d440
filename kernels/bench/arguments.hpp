// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few command-line arguments that programs here read themselves. Pure.

#include <string_view>

namespace kernels::bench {

// Whether Google Benchmark is asked for the names only, in any of its spellings of true.
[[nodiscard]] inline bool wants_list(int count, const char* const* arguments) {
  constexpr std::string_view kFlag = "--benchmark_list_tests";
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with(kFlag)) continue;
    const std::string_view value = argument.substr(kFlag.size());
    if (value.empty() || value == "=true" || value == "=1" || value == "=yes" || value == "=on") return true;
  }
  return false;
}

}  // namespace kernels::bench
