// SPDX-License-Identifier: Apache-2.0
#include "core/stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  // Below `count` < 2^32; the bias of the multiplication is under 2^-32.
  std::size_t below(std::size_t count) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return static_cast<std::size_t>(((x >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }

 private:
  std::uint64_t state_;
};

// Skewness of the leave-one-out values: how fast the statistic's spread changes with its value.
double acceleration(std::span<const double> values, const Statistic& statistic) {
  std::vector<double> rest(values.begin() + 1, values.end()), left_out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    left_out.push_back(statistic(rest));
    if (i < rest.size()) rest[i] = values[i];
  }
  const double mean = std::accumulate(left_out.begin(), left_out.end(), 0.0) / static_cast<double>(left_out.size());
  double squares = 0, cubes = 0;
  for (double x : left_out) {
    squares += (mean - x) * (mean - x);
    cubes += (mean - x) * (mean - x) * (mean - x);
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

std::vector<double> resampled(std::span<const double> values, const Statistic& statistic, const BootstrapPlan& plan) {
  SplitMix random(plan.seed);
  std::vector<double> draw(values.size()), out;
  out.reserve(static_cast<std::size_t>(plan.resamples));
  for (int i = 0; i < plan.resamples; ++i) {
    for (double& x : draw) x = values[random.below(values.size())];
    out.push_back(statistic(draw));
  }
  std::sort(out.begin(), out.end());
  return out;
}

double at_fraction(const std::vector<double>& ascending, double fraction) {
  const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (position - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

}  // namespace

Result<Interval> bca_interval(std::span<const double> values, const Statistic& statistic, const BootstrapPlan& plan) {
  if (Status ok = check_sample(values, "sample"); !ok) return pass_on(ok);
  if (plan.resamples < 100 || !(plan.confidence > 0 && plan.confidence < 1))
    return fail(Errc::invalid, "at least 100 resamples and a confidence in 0 to 1 are needed", "bootstrap");
  const double estimate = statistic(values);
  if (values.size() == 1) return Interval{estimate, estimate, estimate};
  const std::vector<double> draws = resampled(values, statistic, plan);
  const auto [from, to] = std::equal_range(draws.begin(), draws.end(), estimate);
  const double below = (static_cast<double>(from - draws.begin()) + 0.5 * static_cast<double>(to - from)) /
                       static_cast<double>(draws.size());
  const double least = 0.5 / static_cast<double>(draws.size());
  const double bias = normal_quantile(std::clamp(below, least, 1 - least));
  const double acceleration_of = acceleration(values, statistic);
  const auto limit = [&](double tail) {
    const double z = bias + normal_quantile(tail);
    const double adjusted = bias + z / (1 - acceleration_of * z);
    return at_fraction(draws, 1 - normal_upper_tail(adjusted));
  };
  return Interval{estimate, limit((1 - plan.confidence) / 2), limit((1 + plan.confidence) / 2)};
}

}  // namespace kernelgate::stats
