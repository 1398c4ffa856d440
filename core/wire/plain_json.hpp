// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON as programs write it, read several times as fast as by the library. Private to core/wire. The library stays the
// judge: what is malformed, out of range or nested too deep gives nothing, and the library says why.

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace kernelgate::wire {

// What the library would make of `text`, or nothing.
[[nodiscard]] std::optional<nlohmann::json> parse_plain(std::string_view text);

}  // namespace kernelgate::wire
