// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "core/bisect/search.hpp"

namespace kernelgate::bisect {

std::string describe(const Next& next, std::span<const std::string> names) {
  const std::string& high = names[static_cast<std::size_t>(next.high)];
  const std::string& low = names[static_cast<std::size_t>(next.low)];
  if (!next.end) return fmt::format("between {} and {}, {} commits to tell apart", low, high, next.high - next.low);
  std::string effect;
  if (next.effect) effect = fmt::format(" ({:+.1f} % from good to bad)", (std::exp(*next.effect) - 1) * 100);
  switch (*next.end) {
    case Ending::culprit: return fmt::format("{} is the culprit, confirmed against its parent {}{}", high, low, effect);
    case Ending::range: {
      const std::string& first = names[static_cast<std::size_t>(next.low) + 1];
      return fmt::format("the culprit is one of {} commits, {} to {}: the others of them cannot be measured{}",
                         next.high - next.low, first, high, effect);
    }
    case Ending::unconfirmed: return fmt::format("{} is suspected, and not confirmed: {}{}", high, next.why, effect);
    case Ending::no_difference: return fmt::format("nothing to look for between {} and {}: {}", low, high, next.why);
    case Ending::undecided: return fmt::format("undecided between {} and {}: {}", low, high, next.why);
    case Ending::unusable_end:
      return fmt::format("{} and {} cannot be compared with each other: {}", low, high, next.why);
  }
  return {};
}

}  // namespace kernelgate::bisect
