// SPDX-License-Identifier: Apache-2.0
#include "core/stats/cliffs_delta.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

// For each value of `values`: how many of `others` lie below and above it. Both sorted.
struct Dominance {
  std::int64_t net = 0;      // sum of (above - below)
  std::int64_t decided = 0;  // sum of (above + below)
  double sum_squares = 0;    // of the mean dominance per value, about the overall mean
};

Dominance dominance(const std::vector<double>& values, const std::vector<double>& others) {
  Dominance out;
  std::vector<double> means;
  means.reserve(values.size());
  std::size_t low = 0, high = 0;
  for (double value : values) {
    while (low < others.size() && others[low] < value) ++low;
    while (high < others.size() && others[high] <= value) ++high;
    const auto below = static_cast<std::int64_t>(low), above = static_cast<std::int64_t>(others.size() - high);
    out.net += above - below;
    out.decided += above + below;
    means.push_back(static_cast<double>(above - below) / static_cast<double>(others.size()));
  }
  const double delta = static_cast<double>(out.net) / static_cast<double>(values.size() * others.size());
  for (double mean : means) out.sum_squares += (mean - delta) * (mean - delta);
  return out;
}

void set_limits(Interval& out, double variance, double m, double n, double confidence) {
  const double z = t_quantile(0.5 + confidence / 2, m + n - 2);
  const double d = out.estimate;
  if (std::abs(d) == 1) {
    const double smaller = std::min(m, n);
    const double near = std::max(-1.0, (smaller - z * z) / (smaller + z * z));
    out.low = d > 0 ? near : -1;
    out.high = d > 0 ? 1 : -near;
    return;
  }
  const double spread = z * std::sqrt(variance) * std::sqrt((1 - d * d) * (1 - d * d) + z * z * variance);
  const double scale = 1 - d * d + z * z * variance;
  out.low = std::max(-1.0, (d - d * d * d - spread) / scale);
  out.high = std::min(1.0, (d - d * d * d + spread) / scale);
}

}  // namespace

Result<Interval> cliffs_delta(std::span<const double> first, std::span<const double> second, double confidence) {
  if (Status ok = check_sample(first, "first sample"); !ok) return pass_on(ok);
  if (Status ok = check_sample(second, "second sample"); !ok) return pass_on(ok);
  if (!(confidence > 0 && confidence < 1)) return fail(Errc::invalid, "confidence is outside 0 to 1", "Cliff's delta");
  const std::vector<double> a = sorted(first), b = sorted(second);
  const Dominance of_first = dominance(a, b), of_second = dominance(b, a);
  const double m = static_cast<double>(a.size()), n = static_cast<double>(b.size());
  Interval out{static_cast<double>(of_first.net) / (m * n), -1, 1};
  if (a.size() == 1 || b.size() == 1) return out;
  const double cells = static_cast<double>(of_first.decided) - m * n * out.estimate * out.estimate;
  const double unbiased =
      (n * n * of_first.sum_squares + m * m * of_second.sum_squares - cells) / (m * n * (m - 1) * (n - 1));
  const double least = (1 - out.estimate * out.estimate) / (m * n - 1);  // the unbiased one can fall below 0
  set_limits(out, std::max(unbiased, least), m, n, confidence);
  return out;
}

}  // namespace kernelgate::stats
