// SPDX-License-Identifier: Apache-2.0
#include "core/report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace kernelgate::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr char32_t kBroken = 0xFFFFFFFF;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The code point at `at` and its length in bytes; kBroken with length 1 where the bytes are not UTF-8.
std::pair<char32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead >= 0xF5 || at + length > text.size()) return {kBroken, 1};
  char32_t point = lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i])) return {kBroken, 1};
    point = (point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kLeast[length] || surrogate || point > 0x10FFFF) return {kBroken, 1};
  return {point, length};
}

// Characters that move the cursor, hide, or turn round what follows.
bool is_harmful(char32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
         (point >= 0xE0000 && point <= 0xE007F);
}

// Length of the terminal escape sequence that starts with ESC at `at`: CSI, OSC and its kin, or two bytes.
std::size_t escape_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size()) return 1;
  const char kind = text[end++];
  if (kind == '[') {
    while (end < text.size() && (text[end] < 0x40 || text[end] > 0x7E) && text[end] >= 0x20) ++end;
    return std::min(end + 1, text.size()) - at;
  }
  if (kind == ']' || kind == 'P' || kind == '^' || kind == '_' || kind == 'X') {
    while (end < text.size() && text[end] != '\a' && text[end] != '\x1B' && text[end] != '\n') ++end;
    if (end < text.size() && text[end] == '\x1B') ++end;  // ESC \ ends the string
    return std::min(end + 1, text.size()) - at;
  }
  return static_cast<unsigned char>(kind) < 0x80 ? 2 : 1;
}

std::size_t bytes_of(std::string_view utf8, std::size_t characters) {
  std::size_t at = 0;
  for (; characters > 0 && at < utf8.size(); --characters) do
      ++at;
    while (at < utf8.size() && is_continuation(utf8[at]));
  return at;
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1B') {
      at += escape_length(text, at);
      continue;
    }
    const auto [point, length] = code_point(text, at);
    if (point == kBroken)
      out += kReplacement;
    else if (point == '\n' || point == '\r' || point == '\t')
      out += ' ';
    else if (!is_harmful(point))
      out += text.substr(at, length);
    at += length;
  }
  return out;
}

std::size_t width(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return !is_continuation(byte); }));
}

std::string shorten(std::string_view utf8, std::size_t columns) {
  const std::size_t whole = width(utf8);
  if (whole <= columns) return std::string(utf8);
  if (columns == 0) return {};
  const std::size_t kept = columns - 1;
  const std::size_t left = (kept + 1) / 2, right = kept / 2;
  return std::string(utf8.substr(0, bytes_of(utf8, left))) + "…" +
         std::string(utf8.substr(bytes_of(utf8, whole - right)));
}

std::string pad_right(std::string_view utf8, std::size_t columns) {
  const std::size_t have = width(utf8);
  return std::string(utf8) + std::string(columns > have ? columns - have : 0, ' ');
}

std::string pad_left(std::string_view utf8, std::size_t columns) {
  const std::size_t have = width(utf8);
  return std::string(columns > have ? columns - have : 0, ' ') + std::string(utf8);
}

std::string bars(const std::vector<double>& values) {
  constexpr std::array<const char*, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (const double value : values) {
    const double place = std::clamp(std::isfinite(value) ? value : 0.0, 0.0, 1.0) * (kBars.size() - 1);
    out += kBars[static_cast<std::size_t>(std::lround(place))];
  }
  return out;
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t columns) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < utf8.size()) {
    std::size_t end = std::min(utf8.find(' ', at), utf8.size());
    if (utf8.substr(end, 2) == " %") end = std::min(utf8.find(' ', end + 1), utf8.size());  // "3 %" stays together
    const std::string word = shorten(utf8.substr(at, end - at), columns);
    at = end + 1;
    if (word.empty()) continue;
    if (!lines.empty() && width(lines.back()) + 1 + width(word) <= columns)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

namespace {

// The dash of "GH-12", which GitHub links as it does "#12".
bool is_issue_dash(std::string_view text, std::size_t at) {
  return text[at] == '-' && at >= 2 && (text[at - 2] == 'G' || text[at - 2] == 'g') &&
         (text[at - 1] == 'H' || text[at - 1] == 'h');
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

// Mentions and references are looked for in the finished page, where an entity is a plain character again: only a
// zero-width space after it keeps them from being found.
std::string markdown_escape(std::string_view text) {
  const std::string clean = harmless(text);
  std::string out;
  for (std::size_t at = 0; at < clean.size(); ++at) {
    const char c = clean[at];
    const bool starts_link = c == ':' && clean.compare(at, 3, "://") == 0;
    const bool ends_www = c == '.' && at >= 3 && clean.compare(at - 3, 3, "www") == 0;
    if (c == '@' || c == '#' || is_issue_dash(clean, at))
      out += "&#" + std::to_string(static_cast<int>(c)) + ";&#8203;";
    else if (std::string_view("&<>").find(c) != std::string_view::npos || starts_link || ends_www)
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else if (std::string_view("\\`*_{}[]|~!$").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string duration(double nanoseconds) {
  if (!std::isfinite(nanoseconds)) return "–";
  struct Unit {
    double ns;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
  const Unit* unit = &kUnits.back();
  for (const Unit& candidate : kUnits)
    if (std::abs(nanoseconds) >= candidate.ns * 0.9995) {  // 999.6 ns rounds to 1.00 µs
      unit = &candidate;
      break;
    }
  const double value = nanoseconds / unit->ns;
  const int decimals = std::abs(value) < 9.995 ? 2 : std::abs(value) < 99.95 ? 1 : 0;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit->name);
  return text.data();
}

}  // namespace kernelgate::report
