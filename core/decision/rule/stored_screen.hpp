// SPDX-License-Identifier: Apache-2.0
#pragma once

// Head against a stored baseline: a prediction interval from past sessions of one benchmark, commit and epoch. A cheap
// screen, or all there is where base cannot be built. It may clear a benchmark or find it slower or faster; whatever it
// cannot clear belongs into pairs. The offset of today's session goes straight into the result, so this is weaker
// than pairs: docs/STATISTICS.md has its error rates.

#include <optional>
#include <span>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

inline constexpr int kStoredSessionsMin = 20;
inline constexpr int kStoredProcessesMin = 2;  // of a session, and of head

// The log process medians of one stored session.
using StoredSession = std::vector<double>;

struct Screened {
  Verdict verdict = Verdict::undecided;  // regressed, improved, unchanged, or undecided: send it to pairs
  Severity severity = Severity::none;
  double shift = 0;       // mean of head's processes less the mean of the sessions, log
  double head_level = 0;  // mean of head's processes, log nanoseconds
  double half_width = 0;  // of the prediction interval: t(.995; sessions - 1) x sd x sqrt(1 + 1 / sessions)
  int sessions = 0;
};

// Errc::invalid: fewer than 20 sessions of at least 2 processes, fewer than 2 processes of head, or a value that is not
// finite. Of longer sessions, and of head, only as many processes count as the shortest session has: a mean over more
// processes would have another variance.
[[nodiscard]] Result<Screened> screen_against_stored(std::span<const StoredSession> sessions,
                                                     std::span<const double> head, const Band& band,
                                                     Quantiles& quantiles, int sessions_min = kStoredSessionsMin);

}  // namespace kernelgate
