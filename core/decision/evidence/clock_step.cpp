// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/clock_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr double kSameValue = 1e-9;  // relative: numbers printed and read again differ by less
constexpr std::size_t kRepeated =
    2;  // samples a distinct value within processes, on average, from which they are steps
constexpr std::size_t kSamplesFrom = 8;

bool is_other(double value, double before) { return value - before > kSameValue * value; }

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::size_t distinct_in(std::span<const double> sorted) {
  std::size_t out = sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) out += is_other(sorted[i], sorted[i - 1]) ? 1 : 0;
  return out;
}

}  // namespace

double clock_step_ns(std::span<const std::vector<double>> processes) {
  std::vector<double> all;
  std::size_t distinct = 0;
  for (const std::vector<double>& samples : processes) {
    distinct += distinct_in(sorted_copy(samples));
    all.insert(all.end(), samples.begin(), samples.end());
  }
  if (all.size() < kSamplesFrom || kRepeated * distinct > all.size()) return 0;
  std::sort(all.begin(), all.end());
  double least = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (is_other(all[i], all[i - 1])) least = least == 0 ? all[i] - all[i - 1] : std::min(least, all[i] - all[i - 1]);
  return least;
}

double grouped_median_log(std::span<const double> samples_ns, double step_ns) {
  const double middle = stats::median(samples_ns).value();
  double below = 0, at = 0;
  for (double x : samples_ns) {
    below += x < middle - step_ns / 2 ? 1 : 0;
    at += std::abs(x - middle) <= step_ns / 2 ? 1 : 0;
  }
  const double half = 0.5 * static_cast<double>(samples_ns.size());
  const double share = at > 0 ? std::clamp((half - below) / at, 0.0, 1.0) : 0.5;
  return std::log(std::max(middle - step_ns / 2 + step_ns * share, middle / 2));
}

}  // namespace kernelgate
