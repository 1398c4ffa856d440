// SPDX-License-Identifier: Apache-2.0
#include "core/report/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace kernelgate::report {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 19> kSigns{{
    {"▁", '_'}, {"▂", '.'}, {"▃", ':'}, {"▄", '-'}, {"▅", '='}, {"▆", '+'}, {"▇", '*'},
    {"█", '#'}, {"µ", 'u'}, {"–", '-'}, {"—", '-'}, {"−", '-'}, {"→", '>'}, {"…", '~'},
    {"×", 'x'}, {"±", '~'}, {"≤", '<'}, {"≥", '>'}, {"·", '.'},
}};

// Of the character that begins here; 1 for a byte that begins none.
std::size_t length_at(std::string_view utf8, std::size_t at) {
  const auto first = static_cast<unsigned char>(utf8[at]);
  const std::size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  std::size_t found = 1;
  while (found < wanted && at + found < utf8.size() && (static_cast<unsigned char>(utf8[at + found]) & 0xc0) == 0x80)
    ++found;
  return found;
}

}  // namespace

std::string to_ascii(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t length = length_at(utf8, at);
    const std::string_view one = utf8.substr(at, length);
    at += length;
    if (static_cast<unsigned char>(one[0]) < 0x80) {
      out += one[0];
      continue;
    }
    const auto* const known =
        std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& sign) { return sign.first == one; });
    out += known == kSigns.end() ? '?' : known->second;
  }
  return out;
}

bool writes_utf8(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang) {
  std::string name(!lc_all.empty() ? lc_all : !lc_ctype.empty() ? lc_ctype : lang);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

}  // namespace kernelgate::report
