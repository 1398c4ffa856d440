// SPDX-License-Identifier: Apache-2.0
#pragma once

// Wall-clock instants are milliseconds since the epoch, in UTC; Clock is a seam so that tests choose the time.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace kernelgate {

using Millis = std::chrono::milliseconds;
using Instant = std::chrono::sys_time<Millis>;

struct Clock {
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant now() const = 0;
  // For what lasts a while, such as leases: a step of the wall clock does not move it.
  [[nodiscard]] virtual Instant steady() const { return now(); }
};

struct SystemClock final : Clock {
  [[nodiscard]] Instant now() const override { return std::chrono::floor<Millis>(std::chrono::system_clock::now()); }
  [[nodiscard]] Instant steady() const override {
    return made_at_ + std::chrono::floor<Millis>(std::chrono::steady_clock::now() - started_);
  }

 private:
  Instant made_at_ = std::chrono::floor<Millis>(std::chrono::system_clock::now());
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

[[nodiscard]] inline std::int64_t to_millis(Instant at) { return at.time_since_epoch().count(); }
[[nodiscard]] inline Instant from_millis(std::int64_t ms) { return Instant{Millis{ms}}; }

// ISO 8601 with milliseconds: 2026-11-21T10:41:06.123Z
[[nodiscard]] std::string to_iso8601(Instant at);
// The same back, and without the milliseconds; nothing where it is anything else.
[[nodiscard]] std::optional<Instant> parse_iso8601(const std::string& text);

}  // namespace kernelgate
