// SPDX-License-Identifier: Apache-2.0
#pragma once

// The newest point of a history compared with one earlier level (a release): how far slow creep has carried it since.
// Two sessions are compared, so the interval holds the spread between sessions: of at least 20 stored sessions of the
// release a prediction interval; without those, the spread between neighbouring points of the history stands in for it,
// which knows nothing of the release's own session. Pure.

#include <optional>
#include <span>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::history {

inline constexpr int kAnchorSessionsMin = 20;
inline constexpr int kAnchorPointsMin = 8;  // of a history whose spread stands in

enum class AnchorSpread { none, history, sessions };
[[nodiscard]] std::string_view to_string(AnchorSpread spread);

struct Anchored {
  double ratio = 1;                 // newest over the anchored level
  std::optional<double> low, high;  // 99 %
  AnchorSpread spread = AnchorSpread::none;
  int count = 0;  // sessions or points that the spread is from
};

// `log_times`: the history, the newest last. `level`: the release's own log figure, which counts where there are fewer
// than 20 `sessions` (log level of each). Errc::invalid: no point, or a value that is not finite.
[[nodiscard]] Result<Anchored> compare_with_level(std::span<const double> log_times, double level,
                                                  std::span<const double> sessions);

}  // namespace kernelgate::history
