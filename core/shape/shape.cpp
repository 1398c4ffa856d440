// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shape.hpp"

#include <algorithm>
#include <cmath>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::shape {
namespace {

std::vector<double> pooled(std::span<const ProcessSamples> side) {
  std::vector<double> out;
  for (const ProcessSamples& process : side) out.insert(out.end(), process.begin(), process.end());
  return out;
}

// Root mean square distance from the mean.
double width_of(std::span<const double> values) {
  const stats::Moments moments = stats::moments(values).value();
  return std::sqrt(moments.sum_squares / moments.count);
}

struct Modes {
  double threshold = 0;  // between them, log time
  double distance = 0;   // of their means, log
};

// The split into two groups with the least spread inside them (2-means, exact on sorted values), if the groups are
// apart; a wide group is a tail, not a mode.
std::optional<Modes> two_modes(std::span<const double> values) {
  const std::vector<double> x = stats::sorted(values);
  const auto n = static_cast<double>(x.size());
  double total = 0;
  for (double value : x) total += value - x[0];
  double best = -1, left = 0, low_mean = 0, high_mean = 0;
  std::size_t at = 0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    left += x[k - 1] - x[0];
    const auto a = static_cast<double>(k);
    const double between = left * left / a + (total - left) * (total - left) / (n - a);
    if (between <= best) continue;
    best = between;
    at = k;
    low_mean = left / a;
    high_mean = (total - left) / (n - a);
  }
  if (at == 0) return std::nullopt;
  const double distance = high_mean - low_mean;
  const double width = std::max(width_of({x.data(), at}), width_of({x.data() + at, x.size() - at}));
  const double smaller = std::min(static_cast<double>(at), n - static_cast<double>(at)) / n;
  if (distance < std::log1p(kModeShift) || distance < kModeSeparation * width || smaller < kModeShareMin)
    return std::nullopt;
  return Modes{0.5 * (x[at - 1] + x[at]), distance};
}

struct Shares {
  double mean = 0;
  double variance_of_mean = 0;
};

// Each process's share of samples beyond the threshold.
Shares shares_beyond(std::span<const ProcessSamples> side, double threshold) {
  std::vector<double> shares;
  double samples = 0;
  for (const ProcessSamples& process : side) {
    const auto beyond = std::count_if(process.begin(), process.end(), [&](double x) { return x > threshold; });
    shares.push_back(static_cast<double>(beyond) / static_cast<double>(process.size()));
    samples += static_cast<double>(process.size());
  }
  const stats::Moments moments = stats::moments(shares).value();
  return {moments.mean,
          std::max(moments.variance / static_cast<double>(shares.size()), moments.mean * (1 - moments.mean) / samples)};
}

Histogram histogram_of(std::span<const double> base, std::span<const double> head) {
  Histogram out;
  const auto [base_low, base_high] = std::minmax_element(base.begin(), base.end());
  const auto [head_low, head_high] = std::minmax_element(head.begin(), head.end());
  out.low = std::min(*base_low, *head_low);
  out.high = std::max(*base_high, *head_high);
  const auto count = [&](std::span<const double> values) {
    std::vector<int> bins(kBins);
    const double width = (out.high - out.low) / kBins;
    for (double value : values)
      ++bins[width > 0 ? std::min<std::size_t>(kBins - 1, static_cast<std::size_t>((value - out.low) / width)) : 0];
    return bins;
  };
  out.base = count(base);
  out.head = count(head);
  return out;
}

Status check(std::span<const ProcessSamples> side, std::string_view name) {
  for (const ProcessSamples& process : side)
    if (Status ok = stats::check_sample(process, name); !ok) return ok;
  return {};
}

}  // namespace

std::string_view to_string(Kind kind) { return kind == Kind::tail ? "tail" : "modes"; }

Result<std::optional<Finding>> find_change(std::span<const ProcessSamples> base, std::span<const ProcessSamples> head) {
  if (Status ok = check(base, "base"); !ok) return pass_on(ok);
  if (Status ok = check(head, "head"); !ok) return pass_on(ok);
  const auto enough = static_cast<std::size_t>(kProcessesMin);
  if (base.size() < enough || head.size() < enough) return std::optional<Finding>{};

  const std::vector<double> base_all = pooled(base), head_all = pooled(head);
  const double base_median = stats::median(base_all).value(), head_median = stats::median(head_all).value();
  const auto base_modes = two_modes(base_all), head_modes = two_modes(head_all);
  Finding out;
  // A side without two modes is compared with the other's gap, moved by what the bulk has moved.
  double base_from = base_median + std::log1p(kTailFrom), head_from = head_median + std::log1p(kTailFrom);
  out.distance = kTailFrom;
  if (base_modes || head_modes) {
    out.kind = Kind::modes;
    out.distance = std::expm1(head_modes ? head_modes->distance : base_modes->distance);
    base_from = base_modes ? base_modes->threshold : head_modes->threshold;
    head_from = head_modes ? head_modes->threshold : base_modes->threshold;
  }
  const Shares a = shares_beyond(base, base_from), b = shares_beyond(head, head_from);
  out.base_share = a.mean;
  out.head_share = b.mean;
  const double se = std::sqrt(a.variance_of_mean + b.variance_of_mean);
  if (std::abs(b.mean - a.mean) < kShareMin || se <= 0) return std::optional<Finding>{};
  // A shift of everything is the median's business: where one side lies wholly beyond the gap, nothing is hidden.
  if (out.kind == Kind::modes && std::abs(b.mean - a.mean) > 1 - kModeShareMin) return std::optional<Finding>{};
  const double degrees = static_cast<double>(base.size() + head.size() - 2);
  out.p = 2 * stats::t_upper_tail(std::abs(b.mean - a.mean) / se, degrees);
  if (out.p > kAlpha) return std::optional<Finding>{};
  out.histogram = histogram_of(base_all, head_all);
  return std::optional<Finding>{std::move(out)};
}

}  // namespace kernelgate::shape
