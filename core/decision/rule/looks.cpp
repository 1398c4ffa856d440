// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/looks.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr std::array kLooksStored{2, 4, 6, 8, 12, 16};
constexpr std::array kLooksAlone{4, 6, 8, 12, 16};
constexpr double kOutlierFrom = 3.5;   // robust standard deviations
constexpr std::size_t kScaleFrom = 8;  // pairs from which they have a robust scale of their own

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
  const double rounded = std::max(1.0, std::floor(2 * degrees) / 2);
  const auto [entry, fresh] = t_.try_emplace({tail, rounded}, 0.0);
  if (fresh) entry->second = stats::t_quantile(1 - tail, rounded);
  return entry->second;
}

double Quantiles::f_stale(int degrees, double of_stored) {
  const double rounded = std::max(1.0, std::floor(2 * of_stored) / 2);
  const auto [entry, fresh] = f_.try_emplace({degrees, rounded}, 0.0);
  if (fresh) entry->second = stats::f_quantile(1 - kStaleVarianceTail, degrees, rounded);
  return entry->second;
}

std::vector<double> without_outliers(std::span<const double> d, const KnownNoise& known) {
  std::vector<double> out(d.begin(), d.end());
  if (!known.stored && d.size() < kScaleFrom) return out;
  const double middle = stats::median(d).value();
  double scale = known.stored ? std::sqrt(known.stored->variance) : 0;
  if (d.size() >= kScaleFrom) {
    std::vector<double> off;
    for (double x : d) off.push_back(std::abs(x - middle));
    scale = std::max(scale, 1.4826 * stats::median(off).value() * (1 + 1.5 / static_cast<double>(d.size())));
  }
  const double reach = kOutlierFrom * std::sqrt(scale * scale + known.clock);
  if (reach <= 0) return out;
  const auto far = std::count_if(d.begin(), d.end(), [&](double x) { return std::abs(x - middle) > reach; });
  const std::size_t most = std::max<std::size_t>(1, d.size() / (known.stored ? 4 : 5));
  if (static_cast<std::size_t>(far) > most) return out;
  for (double& x : out) x = std::clamp(x, middle - reach, middle + reach);
  return out;
}

Judged judge(std::span<const double> d, const KnownNoise& known, const Band& band, Quantiles& quantiles) {
  assert(d.size() >= 2);
  const int n = static_cast<int>(d.size());
  const std::vector<double> kept = without_outliers(d, known);
  Judged out;
  Look& look = out.look;
  look.pairs = n;
  look.mean = mean_of(kept);
  look.degrees = n - 1;
  const double today = std::max(variance_of(kept, look.mean), known.clock);
  double variance = today, between = 0;
  if (known.stored) {
    const double weight = known.stored->weight, stored = std::max(known.stored->variance, known.clock);
    if (today <= quantiles.f_stale(n - 1, weight) * stored) {
      variance = (weight * stored + (n - 1) * today) / (weight + n - 1);
      look.degrees = weight + n - 1;
      look.used_stored = true;
    }
    between += known.stored->between;
  }
  look.se = std::sqrt(variance / n + between);
  if (known.stored && known.stored->between > 0)  // Satterthwaite; the trimmed squares of run means know two fifths
    look.degrees = std::pow(look.se, 4) / (std::pow(variance / n, 2) / look.degrees +
                                           std::pow(known.stored->between, 2) / (0.4 * known.stored->runs));
  // An alarm also stands on today's pairs alone: head's noise may have grown, or never been as stored.
  const double tail = known.stored ? band.alarm_tail : kAloneShare * band.alarm_tail;
  const double alarm = std::max(quantiles.t(tail, look.degrees) * std::sqrt(std::max(today, variance) / n + between),
                                quantiles.t(kTodayTail, n - 1) * std::sqrt(today / n + between));
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

Sequence judge_sequence(std::span<const double> d, std::span<const int> schedule, const KnownNoise& known,
                        const Band& band, Quantiles& quantiles) {
  Sequence out;
  out.pairs = static_cast<int>(d.size());
  for (int pairs : schedule) {
    if (static_cast<std::size_t>(pairs) > d.size()) break;
    const Judged judged = judge(d.first(static_cast<std::size_t>(pairs)), known, band, quantiles);
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
