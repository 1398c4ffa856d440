// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/stats/cliffs_delta.hpp"
#include "core/stats/distributions.hpp"
#include "core/stats/false_discovery.hpp"
#include "core/stats/hodges_lehmann.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

void fill_interval(Comparison& out, const stats::Moments& moments, Quantiles& quantiles) {
  out.ratio = std::exp(moments.mean);
  out.degrees = moments.count - 1;
  if (moments.count < 2) return;
  out.pair_sd = std::sqrt(moments.variance);
  double mean = moments.mean, se = std::sqrt(moments.variance / moments.count), degrees = moments.count - 1;
  if (!out.looks.empty() && out.looks.back().pairs == moments.count) {
    mean = out.looks.back().mean;
    se = out.looks.back().se;
    degrees = out.looks.back().degrees;
  }
  const double half_width = quantiles.t(kEqualTail, degrees) * se;
  out.ratio = std::exp(mean);
  out.ratio_low = std::exp(mean - half_width);
  out.ratio_high = std::exp(mean + half_width);
  out.minimum_detectable = std::expm1(half_width);
}

// Two-sided p of a shift beyond the tolerated one, from the look that stopped.
double p_beyond_tolerate(const Comparison& comparison) {
  const Look& look = comparison.looks.back();
  const double excess = std::abs(look.mean) - std::log1p(comparison.tolerate);
  if (look.se == 0) return excess > 0 ? 0 : 1;
  return std::min(1.0, 2 * stats::t_upper_tail(excess / look.se, look.degrees));
}

}  // namespace

void fill_figures(Comparison& out, std::span<const PairTimes> pairs, const KnownNoise& known, Quantiles& quantiles) {
  const std::span<const PairTimes> used = pairs.first(std::min(pairs.size(), static_cast<std::size_t>(out.pairs)));
  if (used.empty()) return;
  std::vector<double> d, base, head;
  for (const PairTimes& pair : used) {
    d.push_back(pair.difference());
    base.push_back(pair.base);
    head.push_back(pair.head);
  }
  fill_interval(out, stats::moments(d).value(), quantiles);
  // One far pair sets no stored variance.
  out.sum_squares = stats::moments(without_outliers(d, known)).value().sum_squares;
  out.base_median_ns = std::exp(stats::median(base).value());
  out.head_median_ns = std::exp(stats::median(head).value());
  if (used.size() >= static_cast<std::size_t>(kRankFiguresFrom)) {
    out.cliffs_delta = stats::cliffs_delta(base, head).value().estimate;
    out.mwu_p = stats::mann_whitney(base, head).value().p;
  }
  if (used.size() >= static_cast<std::size_t>(kHodgesLehmannFrom)) {
    const stats::Interval shift = stats::hodges_lehmann(d).value();
    out.hl_ratio = std::exp(shift.estimate);
    out.hl_low = std::exp(shift.low);
    out.hl_high = std::exp(shift.high);
  }
}

void fill_repetition_figures(Comparison& out, std::span<const double> base_ns, std::span<const double> head_ns) {
  if (const auto delta = stats::cliffs_delta(base_ns, head_ns)) out.cliffs_delta = delta->estimate;
  if (const auto test = stats::mann_whitney(base_ns, head_ns)) out.mwu_p = test->p;
}

void fill_q_values(std::vector<Comparison>& comparisons) {
  std::vector<double> p_values;
  for (const Comparison& comparison : comparisons)
    if (!comparison.looks.empty()) p_values.push_back(p_beyond_tolerate(comparison));
  const std::vector<double> q_values = stats::benjamini_hochberg(p_values).value();
  std::size_t next = 0;
  for (Comparison& comparison : comparisons)
    if (!comparison.looks.empty()) comparison.q_value = q_values[next++];
}

}  // namespace kernelgate
