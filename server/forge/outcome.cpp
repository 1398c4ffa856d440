// SPDX-License-Identifier: Apache-2.0
#include "server/forge/outcome.hpp"

#include <algorithm>
#include <charconv>

#include "core/report/text.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::forge {
namespace {

constexpr std::size_t kErrorShown = 300;  // of a forge's own words

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return out;
}

// GitHub says 403 or 429 to too many requests; only its headers and words tell the first from a missing permission.
bool is_limit(const HttpResponse& answer) {
  if (answer.status == 429) return true;
  return answer.status == 403 && (answer.retry_after || answer.header("x-ratelimit-remaining") == "0" ||
                                  answer.body.find("rate limit") != std::string::npos);
}

Instant end_of_limit(const HttpResponse& answer, Instant now) {
  const std::chrono::seconds most = 2 * std::chrono::hours(1);  // limits are by the hour: more is a wrong clock
  if (answer.retry_after) return now + std::min(*answer.retry_after, most);
  const auto reset = number(answer.header("x-ratelimit-reset"));
  if (answer.header("x-ratelimit-remaining") == "0" && reset) {
    const Instant at = from_millis(*reset * 1000) + std::chrono::seconds(1);
    return std::clamp(at, now + std::chrono::seconds(1), now + most);
  }
  return now + limits::kForgeLimitedFor;
}

}  // namespace

Outcome judge(const Result<HttpResponse>& answer, Instant now) {
  using Kind = Outcome::Kind;
  if (!answer) {
    const Errc code = answer.error().code;
    const bool lost = code == Errc::timed_out || code == Errc::io || code == Errc::too_large;
    if (code == Errc::unavailable || lost) return {.kind = Kind::away, .error = answer.error().what, .answered = !lost};
    return {.kind = Kind::refused, .error = answer.error().what};
  }
  if (answer->status >= 200 && answer->status < 300) return {.kind = Kind::delivered, .error = {}};
  std::string error = "answered " + std::to_string(answer->status);
  const std::string words = report::harmless(std::string_view(answer->body).substr(0, kErrorShown));
  if (!words.empty()) error += ": " + words;
  if (is_limit(*answer)) return {.kind = Kind::limited, .error = error, .until = end_of_limit(*answer, now)};
  // A gateway that gave up waiting says nothing about what stands behind it.
  if (answer->status >= 500 || answer->status == 408) return {.kind = Kind::away, .error = error, .answered = false};
  return {.kind = Kind::refused, .error = error};
}

std::chrono::milliseconds back_off(int attempts, std::chrono::milliseconds first, std::chrono::milliseconds most,
                                   double fraction) {
  std::chrono::milliseconds whole = std::min(first, most);
  for (int i = 1; i < attempts && whole < most; ++i) whole = std::min(2 * whole, most);
  return whole / 2 + std::chrono::duration_cast<std::chrono::milliseconds>((whole - whole / 2) * fraction);
}

}  // namespace kernelgate::forge
