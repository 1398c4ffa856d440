// SPDX-License-Identifier: Apache-2.0
#include "core/stats/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace kernelgate::stats {
namespace {

// From this factor between the ends on the axis is logarithmic: else one side is one bin wide.
constexpr double kLogFrom = 3;
constexpr std::size_t kLeastValues = 4;

std::vector<int> counts_of(const Histogram& axis, std::span<const double> values, int bins) {
  std::vector<int> out(static_cast<std::size_t>(bins));
  for (const double value : values)
    ++out[static_cast<std::size_t>(std::clamp(static_cast<int>(axis.place_of(value) * bins), 0, bins - 1))];
  return out;
}

}  // namespace

double Histogram::place_of(double value) const {
  if (is_log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

std::optional<Histogram> histogram_of(std::span<const double> base, std::span<const double> head, int bins) {
  std::vector<double> all(base.begin(), base.end());
  all.insert(all.end(), head.begin(), head.end());
  if (all.size() < kLeastValues) return std::nullopt;
  std::sort(all.begin(), all.end());
  const double top = all[(all.size() - 1) * 99 / 100];
  Histogram out{.low = all.front(), .base = {}, .head = {}};
  out.high = top > out.low ? top : out.low + std::max(std::abs(out.low) * 1e-4, 1e-9);
  out.has_above = all.back() > out.high;
  out.is_log = out.low > 0 && out.high / out.low > kLogFrom;
  out.base = counts_of(out, base, bins);
  out.head = counts_of(out, head, bins);
  return out;
}

}  // namespace kernelgate::stats
