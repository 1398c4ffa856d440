// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON read by simdjson, several times as fast as by nlohmann/json. Private to core/wire. The latter stays the judge:
// what is malformed, out of range or nested too deep gives nothing, and it says why.

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace kernelgate::wire {

// What nlohmann/json would make of `text` (but that -0 is unsigned), or nothing.
[[nodiscard]] std::optional<nlohmann::json> parse_plain(std::string_view text);

}  // namespace kernelgate::wire
