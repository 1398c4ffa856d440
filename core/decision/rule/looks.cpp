// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/looks.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/stats/distributions.hpp"

namespace kernelgate {
namespace {

constexpr std::array kLooksStored{2, 4, 8, 16};
constexpr std::array kLooksAlone{4, 6, 8, 12, 16};

double mean_of(std::span<const double> d) {
  double sum = 0;
  for (double x : d) sum += x;
  return sum / static_cast<double>(d.size());
}

double variance_of(std::span<const double> d, double mean) {
  double sum = 0;
  for (double x : d) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(d.size() - 1);
}

}  // namespace

Band band_of(const Policy& policy, std::size_t timed) {
  Band band;
  band.tolerate = std::log1p(policy.tolerate);
  band.catch_limit = std::log1p(policy.catch_limit);
  band.suspect = std::log1p((policy.tolerate + policy.catch_limit) / 2);
  if (timed > 100) band.alarm_tail = 0.1 / static_cast<double>(timed);
  return band;
}

std::vector<int> look_schedule(int max_pairs, bool has_stored) {
  const int last = max_pairs - max_pairs % 2;
  std::vector<int> out;
  const auto add_below_last = [&](const auto& looks) {
    for (int look : looks)
      if (look < last) out.push_back(look);
  };
  if (has_stored)
    add_below_last(kLooksStored);
  else
    add_below_last(kLooksAlone);
  if (last >= 2) out.push_back(last);
  return out;
}

double Quantiles::t(double tail, double degrees) {
  const auto [entry, fresh] = t_.try_emplace({tail, degrees}, 0.0);
  if (fresh) entry->second = stats::t_quantile(1 - tail, degrees);
  return entry->second;
}

double Quantiles::f_stale(int degrees) {
  const auto [entry, fresh] = f_.try_emplace(degrees, 0.0);
  if (fresh) entry->second = stats::f_quantile(1 - kStaleVarianceTail, degrees, kStoredDegrees);
  return entry->second;
}

Judged judge(std::span<const double> d, std::optional<double> stored, const Band& band, Quantiles& quantiles) {
  assert(d.size() >= 2);
  const int n = static_cast<int>(d.size());
  Judged out;
  Look& look = out.look;
  look.pairs = n;
  look.mean = mean_of(d);
  look.degrees = n - 1;
  double variance = variance_of(d, look.mean);
  if (stored && variance <= quantiles.f_stale(n - 1) * *stored) {
    variance = (kStoredDegrees * *stored + (n - 1) * variance) / (kStoredDegrees - 1 + n);
    look.degrees = kStoredDegrees - 1 + n;
    look.used_stored = true;
  }
  look.se = std::sqrt(variance / n);
  const double alarm = quantiles.t(band.alarm_tail, look.degrees) * look.se;
  out.half_width = quantiles.t(kEqualTail, look.degrees) * look.se;
  const bool within = std::abs(look.mean) + out.half_width < band.catch_limit;
  if (look.mean - alarm > band.tolerate) {
    look.verdict = Verdict::regressed;
    out.severity = within ? Severity::small : Severity::full;
  } else if (look.mean + alarm < -band.tolerate) {
    look.verdict = Verdict::improved;
  } else if (within) {
    look.verdict = Verdict::unchanged;
  }
  return out;
}

Sequence judge_sequence(std::span<const double> d, std::span<const int> schedule, std::optional<double> stored,
                        const Band& band, Quantiles& quantiles) {
  Sequence out;
  out.pairs = static_cast<int>(d.size());
  for (int pairs : schedule) {
    if (static_cast<std::size_t>(pairs) > d.size()) break;
    const Judged judged = judge(d.first(static_cast<std::size_t>(pairs)), stored, band, quantiles);
    out.looks.push_back(judged.look);
    if (judged.look.verdict == Verdict::undecided) continue;
    out.verdict = judged.look.verdict;
    out.severity = judged.severity;
    out.pairs = pairs;
    out.finished = true;
    return out;
  }
  if (schedule.empty()) {
    out.finished = true;
  } else if (d.size() >= static_cast<std::size_t>(schedule.back())) {
    out.finished = true;
    out.pairs = schedule.back();
  }
  if (out.pairs >= 2 && mean_of(d.first(static_cast<std::size_t>(out.pairs))) >= band.suspect)
    out.verdict = Verdict::suspected;
  return out;
}

}  // namespace kernelgate
