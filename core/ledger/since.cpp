// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/since.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "core/units/limits.hpp"

namespace kernelgate::ledger {
namespace {

// The number that stands at `at` with exactly so many digits.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  int out = 0;
  if (at + count > text.size() || text[at] == '-') return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data() + at, text.data() + at + count, out);
  if (error != std::errc{} || stop != text.data() + at + count) return std::nullopt;
  return out;
}

std::optional<Instant> parse_ago(std::string_view text, Instant now) {
  if (text.size() < 2 || text.size() > 6) return std::nullopt;
  const auto number = digits(text, 0, text.size() - 1);
  if (!number || *number > limits::kDaysMax) return std::nullopt;
  if (text.back() == 'd') return now - std::chrono::days(*number);
  if (text.back() == 'h') return now - std::chrono::hours(*number);
  return std::nullopt;
}

std::optional<Instant> parse_day(std::string_view text) {
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return Instant(std::chrono::sys_days(date));
}

std::optional<Instant> parse_instant(std::string_view text) {
  const auto day = parse_day(text);
  if (!day || text.size() == 10) return day;
  const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  const bool shaped = text.size() >= 20 && text[10] == 'T' && text[13] == ':' && text[16] == ':' && text.back() == 'Z';
  if (!shaped || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  int milliseconds = 0;
  if (text.size() != 20) {
    const auto fraction = text[19] == '.' && text.size() == 24 ? digits(text, 20, 3) : std::nullopt;
    if (!fraction) return std::nullopt;
    milliseconds = *fraction;
  }
  return *day + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
         Millis(milliseconds);
}

}  // namespace

Result<Instant> parse_since(std::string_view text, Instant now) {
  if (const auto ago = parse_ago(text, now)) return *ago;
  if (const auto instant = parse_instant(text)) return *instant;
  return fail(Errc::invalid, "no time: '" + std::string(text.substr(0, 40)) + "'", "since",
              "give a day (2026-11-03), an instant (2026-11-03T10:00:00Z) or how long ago (14d, 48h)");
}

}  // namespace kernelgate::ledger
