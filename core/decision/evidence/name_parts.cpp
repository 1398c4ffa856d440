// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/name_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

namespace kernelgate {
namespace {

constexpr std::size_t kPartsMost = 12;
constexpr std::size_t kSizesMost = 16;

// Digits with at most one point: "0.125", neither "1e9" nor "inf".
std::optional<double> plain_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The numbers of "256" or "64x128x32"; none where any piece is no number.
std::vector<double> numbers_of(std::string_view text) {
  std::vector<double> out;
  for (;;) {
    const std::size_t cross = text.find('x');
    const auto value = plain_number(text.substr(0, cross));
    if (!value) return {};
    out.push_back(*value);
    if (cross == std::string_view::npos) return out;
    text.remove_prefix(cross + 1);
  }
}

void add_sizes(std::string_view part, std::size_t place, std::vector<NameSize>& sizes) {
  const std::size_t sign = part.find_first_of(":=");
  const bool named = sign != std::string_view::npos && sign > 0;
  const std::string dimension = named ? std::string(part.substr(0, sign)) : fmt::format("part {}", place);
  const std::vector<double> numbers = numbers_of(named ? part.substr(sign + 1) : part);
  for (std::size_t i = 0; i < numbers.size() && sizes.size() < kSizesMost; ++i)
    sizes.push_back({numbers.size() == 1 ? dimension : fmt::format("size {} of {}", i + 1, dimension), numbers[i]});
}

}  // namespace

NameParts parse_name(std::string_view benchmark) {
  NameParts out;
  for (std::size_t place = 1; place <= kPartsMost; ++place) {
    const std::size_t slash = benchmark.find('/');
    const std::string_view part = benchmark.substr(0, slash);
    if (!part.empty() && std::find(out.words.begin(), out.words.end(), part) == out.words.end())
      out.words.emplace_back(part);
    add_sizes(part, place, out.sizes);
    if (slash == std::string_view::npos) break;
    benchmark.remove_prefix(slash + 1);
  }
  return out;
}

std::string_view family_of(std::string_view benchmark) { return benchmark.substr(0, benchmark.find('/')); }

}  // namespace kernelgate
