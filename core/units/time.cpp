// SPDX-License-Identifier: Apache-2.0
#include "core/units/time.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace kernelgate {

namespace {

void put_digits(char* end, unsigned value, int count) {
  for (; count > 0; --count, value /= 10) *--end = static_cast<char>('0' + value % 10);
}

// A 0 of the shape stands for any digit.
bool has_shape(std::string_view text, std::string_view shape) {
  return std::equal(text.begin(), text.end(), shape.begin(), shape.end(),
                    [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
}

int number_at(std::string_view digits, std::size_t at, std::size_t count) {
  int out = 0;
  for (const char c : digits.substr(at, count)) out = 10 * out + (c - '0');
  return out;
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
  const bool has_millis = has_shape(text, "0000-00-00T00:00:00.000Z");
  if (!has_millis && !has_shape(text, "0000-00-00T00:00:00Z")) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{number_at(text, 0, 4)},
                                         std::chrono::month{static_cast<unsigned>(number_at(text, 5, 2))},
                                         std::chrono::day{static_cast<unsigned>(number_at(text, 8, 2))}};
  const int hour = number_at(text, 11, 2), minute = number_at(text, 14, 2), second = number_at(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return Instant{std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
                 std::chrono::seconds{second} + Millis{has_millis ? number_at(text, 20, 3) : 0}};
}

}  // namespace kernelgate
