// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/since.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "core/units/limits.hpp"

namespace kernelgate::ledger {
namespace {

std::optional<Instant> parse_ago(std::string_view text, Instant now) {
  if (text.size() < 2 || text.size() > 6 || text.front() == '-') return std::nullopt;
  int number = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number > limits::kDaysMax) return std::nullopt;
  if (text.back() == 'd') return now - std::chrono::days(number);
  if (text.back() == 'h') return now - std::chrono::hours(number);
  return std::nullopt;
}

}  // namespace

Result<Instant> parse_since(std::string_view text, Instant now) {
  if (const auto ago = parse_ago(text, now)) return *ago;
  constexpr std::size_t kDay = 10;  // characters of one
  if (const auto at = parse_iso8601(std::string(text) + (text.size() == kDay ? "T00:00:00Z" : ""))) return *at;
  return fail(Errc::invalid, "no time: '" + std::string(text.substr(0, 40)) + "'", "since",
              "give a day (2026-11-03), an instant (2026-11-03T10:00:00Z) or how long ago (14d, 48h)");
}

}  // namespace kernelgate::ledger
