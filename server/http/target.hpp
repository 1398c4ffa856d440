// SPDX-License-Identifier: Apache-2.0
#pragma once

// The request target (RFC 3986, origin form): path and query, percent-decoding. Pure.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.hpp"

namespace kernelgate::http {

struct Target {
  std::string path;                   // as sent
  std::vector<std::string> segments;  // decoded, so a segment may hold a slash; "/" has none
  Pairs query;                        // decoded
};

// Nothing: not an origin-form target, a bad escape, a NUL byte, or a dot segment.
[[nodiscard]] std::optional<Target> parse_target(std::string_view text);

// %XX decoded; `plus_is_space` for queries. Nothing on a bad escape or a NUL byte.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

// Escapes all but unreserved characters, so the result is one path segment or one query value.
[[nodiscard]] std::string percent_encode(std::string_view text);

// Whether a Host header names one of `hosts`, whatever its port and case; an empty list is any. A page of another site
// whose name was made to lead here names that site. "0.0.0.0" and "::" stand for every literal address: such a header
// is no name.
[[nodiscard]] bool is_ours(std::span<const std::string> hosts, std::string_view header);

}  // namespace kernelgate::http
