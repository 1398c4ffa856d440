// SPDX-License-Identifier: Apache-2.0
#include "core/units/time.hpp"

#include <cstdio>

namespace kernelgate {

namespace {

void put_digits(char* end, unsigned value, int count) {
  for (; count > 0; --count, value /= 10) *--end = static_cast<char>('0' + value % 10);
}

}  // namespace

// Without printf but for odd years: a history has 10,000 of them.
std::string to_iso8601(Instant at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{at - day};
  if (const int year = static_cast<int>(date.year()); year >= 0 && year <= 9999) {
    std::string out = "0000-00-00T00:00:00.000Z";
    put_digits(&out[4], static_cast<unsigned>(year), 4);
    put_digits(&out[7], static_cast<unsigned>(date.month()), 2);
    put_digits(&out[10], static_cast<unsigned>(date.day()), 2);
    put_digits(&out[13], static_cast<unsigned>(clock.hours().count()), 2);
    put_digits(&out[16], static_cast<unsigned>(clock.minutes().count()), 2);
    put_digits(&out[19], static_cast<unsigned>(clock.seconds().count()), 2);
    put_digits(&out[23], static_cast<unsigned>(clock.subseconds().count()), 3);
    return out;
  }
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
