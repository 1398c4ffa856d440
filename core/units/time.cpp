// SPDX-License-Identifier: Apache-2.0
#include "core/units/time.hpp"

#include <cstdio>

namespace kernelgate {

std::string to_iso8601(Instant at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{at - day};
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::optional<Instant> parse_iso8601(const std::string& text) {
  int year = 0, ms = 0, end = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const auto whole = [&] { return end > 0 && static_cast<std::size_t>(end) == text.size(); };
  if (std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2uZ%n", &year, &month, &day, &hour, &minute, &second, &end) < 6 ||
      !whole()) {
    end = 0;
    if (std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u.%3dZ%n", &year, &month, &day, &hour, &minute, &second, &ms,
                    &end) < 7 ||
        !whole())
      return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60 || ms < 0) return std::nullopt;
  return Instant{std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
                 std::chrono::seconds{second} + Millis{ms}};
}

}  // namespace kernelgate
