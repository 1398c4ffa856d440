// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

std::optional<CdLine> leading_cd(std::string_view line) {
  const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(' '), line.size())); };
  skip_blanks();
  if (!line.starts_with("cd ")) return std::nullopt;
  line.remove_prefix(3);
  skip_blanks();
  CdLine out;
  for (const std::string_view place : {"{source}", "{build}"})
    if (line.starts_with(place)) out.folder = place;
  if (out.folder.empty()) return std::nullopt;
  line.remove_prefix(out.folder.size());
  const std::size_t end = std::min(line.find_first_of(" &"), line.size());
  const std::string_view below = line.substr(0, end);
  const auto is_plain = [](char c) {
    return is_name_letter(c) || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-';
  };
  if (!std::all_of(below.begin(), below.end(), is_plain) || (!below.empty() && below.front() != '/'))
    return std::nullopt;
  out.folder += below;
  line.remove_prefix(end);
  skip_blanks();
  if (!line.starts_with("&&")) return std::nullopt;
  line.remove_prefix(2);
  skip_blanks();
  out.command = line;
  return out;
}

std::string command_of(std::string_view line) {
  const auto parts = leading_cd(line);
  return parts ? parts->command : std::string(line);
}

std::string with_defines(std::string line, std::string_view defines) {
  constexpr std::string_view kPlace = "{defines}";
  for (std::size_t at = 0; (at = line.find(kPlace, at)) != line.npos; at += defines.size())
    line.replace(at, kPlace.size(), defines);
  return line;
}

}  // namespace kernelgate
