// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

Result<double> mean_of_first(std::span<const double> values, std::size_t count, const char* name) {
  const auto moments = stats::moments(values.first(count));
  if (!moments) return fail(Errc::invalid, "a process has no finite time", name);
  return moments->mean;
}

}  // namespace

Result<Screened> screen_against_stored(std::span<const StoredSession> sessions, std::span<const double> head,
                                       const Band& band, Quantiles& quantiles, int sessions_min) {
  std::size_t processes = head.size();
  for (const StoredSession& session : sessions) processes = std::min(processes, session.size());
  if (sessions.size() < static_cast<std::size_t>(sessions_min) ||
      processes < static_cast<std::size_t>(kStoredProcessesMin))
    return fail(Errc::invalid,
                fmt::format("{} stored sessions of at least {} processes: {} of {} are needed", sessions.size(),
                            processes, sessions_min, kStoredProcessesMin),
                "stored baseline", "run kernelgate in pairs until there are enough");
  std::vector<double> levels;
  for (const StoredSession& session : sessions) {
    const Result<double> level = mean_of_first(session, processes, "stored session");
    if (!level) return pass_on(level);
    levels.push_back(*level);
  }
  const Result<double> today = mean_of_first(head, processes, "head");
  if (!today) return pass_on(today);
  const stats::Moments moments = stats::moments(levels).value();
  const double error = std::sqrt(moments.variance * (1 + 1.0 / moments.count)), degrees = moments.count - 1;
  Screened out;
  out.sessions = moments.count;
  out.head_level = *today;
  out.shift = *today - moments.mean;
  out.half_width = quantiles.t(kEqualTail, degrees) * error;
  const double alarm = quantiles.t(band.alarm_tail, degrees) * error;
  const bool within = std::abs(out.shift) + out.half_width < band.catch_limit;
  if (out.shift - alarm > band.tolerate) {
    out.verdict = Verdict::regressed;
    out.severity = within ? Severity::small : Severity::full;
  } else if (out.shift + alarm < -band.tolerate) {
    out.verdict = Verdict::improved;
  } else if (within) {
    out.verdict = Verdict::unchanged;
  }
  return out;
}

}  // namespace kernelgate
