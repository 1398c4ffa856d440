// SPDX-License-Identifier: Apache-2.0
#include "server/http/target.hpp"

#include <algorithm>
#include <cctype>

namespace kernelgate::http {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// Cuts the part before `separator` off the front of `rest`.
std::string_view cut(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const auto front = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return front;
}

std::optional<Pairs> parse_query(std::string_view text) {
  Pairs out;
  while (!text.empty()) {
    std::string_view value = cut(text, '&');
    if (value.empty()) continue;
    const auto name = percent_decode(cut(value, '='), true);
    const auto decoded = percent_decode(value, true);
    if (!name || !decoded) return std::nullopt;
    out.emplace_back(*name, *decoded);
  }
  return out;
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

std::string percent_encode(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::optional<Target> parse_target(std::string_view text) {
  if (text.empty() || text.front() != '/') return std::nullopt;
  const auto mark = text.find('?');
  Target out;
  out.path = text.substr(0, mark);
  std::string_view rest = std::string_view(out.path).substr(1);
  bool more = !rest.empty();
  while (more) {
    more = rest.find('/') != std::string_view::npos;
    const auto segment = percent_decode(cut(rest, '/'), false);
    if (!segment || *segment == "." || *segment == "..") return std::nullopt;
    out.segments.push_back(*segment);
  }
  if (mark == std::string_view::npos) return out;
  auto query = parse_query(text.substr(mark + 1));
  if (!query) return std::nullopt;
  out.query = std::move(*query);
  return out;
}

bool is_ours(std::span<const std::string> hosts, std::string_view header) {
  if (hosts.empty()) return true;
  const bool bracketed = !header.empty() && header.front() == '[';
  const auto end = bracketed ? header.find(']') : header.rfind(':');
  std::string name(bracketed ? header.substr(1, end == header.npos ? end : end - 1) : header.substr(0, end));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.size() > 1 && name.back() == '.') name.pop_back();
  const bool literal = bracketed || (!name.empty() && name.find_first_not_of("0123456789.") == name.npos);
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
    return host == name || (literal && (host == "0.0.0.0" || host == "::"));
  });
}

}  // namespace kernelgate::http
