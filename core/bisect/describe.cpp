// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/bisect/search.hpp"

namespace kernelgate::bisect {
namespace {

constexpr std::pair<End, std::string_view> kEnds[] = {
    {End::culprit, "culprit"},         {End::range, "range"},
    {End::unconfirmed, "unconfirmed"}, {End::no_difference, "no_difference"},
    {End::undecided, "undecided"},     {End::unusable_end, "unusable_end"}};

}  // namespace

std::string_view to_string(End end) {
  for (const auto& [value, text] : kEnds)
    if (value == end) return text;
  return "undecided";
}

std::optional<End> parse_end(std::string_view text) {
  for (const auto& [value, name] : kEnds)
    if (name == text) return value;
  return std::nullopt;
}

std::string describe(const Next& next, std::span<const std::string> names) {
  const std::string& high = names[static_cast<std::size_t>(next.high)];
  const std::string& low = names[static_cast<std::size_t>(next.low)];
  if (!next.end) return fmt::format("between {} and {}, {} commits to tell apart", low, high, next.high - next.low);
  std::string effect;
  if (next.effect) effect = fmt::format(" ({:+.1f} % from good to bad)", (std::exp(*next.effect) - 1) * 100);
  switch (*next.end) {
    case End::culprit: return fmt::format("{} is the culprit, confirmed against its parent {}{}", high, low, effect);
    case End::range: {
      const std::string& first = names[static_cast<std::size_t>(next.low) + 1];
      return fmt::format("the culprit is one of {} commits, {} to {}: the others of them cannot be measured{}",
                         next.high - next.low, first, high, effect);
    }
    case End::unconfirmed: return fmt::format("{} is suspected, and not confirmed: {}{}", high, next.why, effect);
    case End::no_difference: return fmt::format("nothing to look for between {} and {}: {}", low, high, next.why);
    case End::undecided: return fmt::format("undecided between {} and {}: {}", low, high, next.why);
    case End::unusable_end: return fmt::format("{} and {} cannot be compared with each other: {}", low, high, next.why);
  }
  return {};
}

}  // namespace kernelgate::bisect
