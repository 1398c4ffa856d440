// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate simulate --series`: the rules on recorded processes of a real device. Prints nothing.

#include <string>
#include <string_view>
#include <vector>

#include "core/simulation/recorded.hpp"
#include "core/units/result.hpp"

namespace kernelgate::local {

inline constexpr int kSeriesWarmUps = 3;  // first times of each process that no rule sees

// One JSON object a line, as baselines/ has them: {"kernel":…,"variant":…,"round":1,"us":[…]}. `name` stands in errors.
[[nodiscard]] Result<std::vector<simulation::RecordedProcess>> parse_series(std::string_view text,
                                                                            const std::string& name);

// The file, or standard input for "-"; at most limits::kCompareFileMax.
[[nodiscard]] Result<std::string> read_series(const std::string& path);

// Two tables: each rule's score, and what ours said of each kernel and variant.
[[nodiscard]] std::string recorded_table(const std::vector<simulation::RecordedCase>& cases, const Policy& policy);
[[nodiscard]] std::string recorded_json(const std::vector<simulation::RecordedCase>& cases, const Policy& policy);

}  // namespace kernelgate::local
