// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads JSON of other programs. C programs print NaN and Infinity as bare words, which JSON does not know. Pure.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kernelgate::suite {

// The text with NaN, nan, Infinity, inf and their signed forms outside strings replaced by null; nothing if there are
// none, so that a large text is copied only when it must be.
[[nodiscard]] std::optional<std::string> without_bare_words(std::string_view text);

// The member of that name; null where there is none, or where `object` is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);

}  // namespace kernelgate::suite
