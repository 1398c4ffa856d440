// SPDX-License-Identifier: Apache-2.0
// First line: a request's target. Then a Host header.
#include "server/http/target.hpp"

#include <string>
#include <vector>

#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {

bool target(std::string_view input) {
  const auto [text, host] = first_line(input);
  static const std::vector<std::string> kOne{"gate.example"}, kAddress{"0.0.0.0"}, kNone;
  require(http::is_ours(kNone, host), "an empty list is any host");
  require(!http::is_ours(kOne, host) || host.size() >= kOne[0].size(), "a host of ours has our name");
  (void)http::is_ours(kAddress, host);
  const auto target = http::parse_target(text);
  if (!target) return false;
  for (const std::string& segment : target->segments) {
    require(segment != "." && segment != "..", "no segment leads elsewhere");
    require(segment.find('\0') == std::string::npos, "no segment has a NUL byte");
    require(http::percent_decode(http::percent_encode(segment), false) == segment, "encoding is undone by decoding");
  }
  for (const auto& [name, value] : target->query) {
    require((name + value).find('\0') == std::string::npos, "no query has a NUL byte");
    require(http::percent_decode(http::percent_encode(value), true) == value, "encoding is undone by decoding");
  }
  return true;
}

}  // namespace kernelgate::fuzz
