// SPDX-License-Identifier: Apache-2.0
#include "core/stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace kernelgate::stats {

Status check_sample(std::span<const double> values, std::string_view name) {
  if (values.empty()) return fail(Errc::invalid, "no values", std::string(name));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fail(Errc::invalid, "value " + std::to_string(i) + " is not finite", std::string(name));
  return {};
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

Result<double> quantile(std::span<const double> values, double p) {
  if (Status ok = check_sample(values, "quantile"); !ok) return pass_on(ok);
  if (!(p >= 0 && p <= 1)) return fail(Errc::invalid, "p is outside 0 to 1", "quantile");
  std::vector<double> copy(values.begin(), values.end());
  const double position = p * static_cast<double>(copy.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(copy.begin(), middle, copy.end());
  const double fraction = position - static_cast<double>(below);
  if (fraction == 0) return *middle;
  const double above = *std::min_element(middle + 1, copy.end());
  return *middle * (1 - fraction) + above * fraction;
}

Result<double> median(std::span<const double> values) { return quantile(values, 0.5); }

Result<Moments> moments(std::span<const double> values) {
  if (Status ok = check_sample(values, "moments"); !ok) return pass_on(ok);
  Moments out;
  out.count = static_cast<int>(values.size());
  double sum = 0;
  for (double value : values) sum += value;
  out.mean = sum / out.count;
  double residual = 0;  // what rounding left of the mean; two passes keep 1e9-offset data exact
  for (double value : values) residual += value - out.mean;
  out.mean += residual / out.count;
  for (double value : values) out.sum_squares += (value - out.mean) * (value - out.mean);
  if (out.count > 1) out.variance = out.sum_squares / (out.count - 1);
  return out;
}

}  // namespace kernelgate::stats
