// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/manifest/manifest.hpp"
#include "core/manifest/problems.hpp"

namespace kernelgate {
namespace {

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The name inside braces at `at`, or empty: "${HOME}" belongs to the shell, and so does "{print
// $1}".
std::string_view placeholder_at(std::string_view line, std::size_t at) {
  if (line[at] != '{' || (at > 0 && line[at - 1] == '$')) return {};
  std::size_t end = at + 1;
  while (end < line.size() && is_name_letter(line[end])) ++end;
  if (end == line.size() || line[end] != '}') return {};
  return line.substr(at + 1, end - at - 1);
}

}  // namespace

Result<std::string> expand(std::string_view line, std::string_view source, std::string_view build) {
  static const std::array<std::string, 3> kNames{"source", "build", "defines"};
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view name = placeholder_at(line, at);
    if (name.empty()) {
      out += line[at++];
      continue;
    }
    if (name != "source" && name != "build" && name != "defines") {
      const std::string_view meant = manifest::nearest(name, kNames);
      return fail(Errc::invalid, "unknown placeholder '{" + std::string(name) + "}'", {},
                  meant.empty() ? "known are '{source}', '{build}' and '{defines}'"
                                : "did you mean '{" + std::string(meant) + "}'?");
    }
    if (name != "defines") out += name == "source" ? source : build;  // outside a sweep there are none
    at += name.size() + 2;
  }
  return out;
}

std::string with_defines(std::string line, std::string_view defines) {
  constexpr std::string_view kPlace = "{defines}";
  for (std::size_t at = 0; (at = line.find(kPlace, at)) != line.npos; at += defines.size())
    line.replace(at, kPlace.size(), defines);
  return line;
}

}  // namespace kernelgate
