// SPDX-License-Identifier: Apache-2.0
#include "core/history/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/stats/distributions.hpp"

namespace kernelgate::history {
namespace {

constexpr double kCorrelatedFrom = 2;      // standard errors from which neighbouring points are not independent
constexpr double kCorrelationMost = 0.95;  // beyond it no history is long enough to tell a level from a walk

struct Split {
  std::size_t begin = 0, end = 0;  // the interval, half open
  std::size_t at = 0;              // first point of the right part
  double p = 1;                    // of this interval alone
};

// Sums over any stretch in O(1), of values already centred so that squares lose no digits.
class Sums {
 public:
  explicit Sums(std::span<const double> values) : sum_(values.size() + 1), squares_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum_[i + 1] = sum_[i] + values[i];
      squares_[i + 1] = squares_[i] + values[i] * values[i];
    }
  }
  [[nodiscard]] double sum(std::size_t begin, std::size_t end) const { return sum_[end] - sum_[begin]; }
  [[nodiscard]] double squares(std::size_t begin, std::size_t end) const { return squares_[end] - squares_[begin]; }

 private:
  std::vector<double> sum_, squares_;
};

// The normal deviate with the tail of Student's t.
double deviate(double t, double degrees) {
  const double tail = stats::t_upper_tail(t, degrees);
  return tail < 1e-300 ? 37.0 : -stats::normal_quantile(tail);
}

// The split of [begin, end) whose two parts differ most.
std::optional<Split> best_split(const Sums& sums, std::size_t begin, std::size_t end, std::size_t min_size) {
  const std::size_t n = end - begin;
  if (n < 2 * min_size) return std::nullopt;
  const auto all = static_cast<double>(n);
  const double total = sums.sum(begin, end);
  const double about_mean = sums.squares(begin, end) - total * total / all;
  double between_best = -1;
  std::size_t at = 0;
  for (std::size_t k = begin + min_size; k + min_size <= end; ++k) {
    const auto left = static_cast<double>(k - begin);
    const double off = sums.sum(begin, k) - total * left / all;
    const double between = off * off * all / (left * (all - left));
    if (between > between_best) {
      between_best = between;
      at = k;
    }
  }
  // Sums of squares carry rounding of about 1e-15 of their size: less than that is a constant.
  const double within = std::max(about_mean - between_best, 1e-13 * sums.squares(begin, end) + 1e-30);
  const double t = std::sqrt(between_best * (all - 2) / within);
  return Split{begin, end, at, maximal_p(deviate(t, all - 2), min_size, n - min_size, n)};
}

// Half-overlapping intervals at scales n, n/√2, n/2, … down to two minimal parts.
std::vector<std::pair<std::size_t, std::size_t>> seeded_intervals(std::size_t n, std::size_t min_size) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const double shortest = static_cast<double>(2 * min_size);
  for (double length = static_cast<double>(n); length >= shortest; length /= std::numbers::sqrt2) {
    const auto count = static_cast<std::size_t>(2 * std::ceil(static_cast<double>(n) / length) - 1);
    const double step = count > 1 ? (static_cast<double>(n) - length) / static_cast<double>(count - 1) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = static_cast<std::size_t>(std::floor(static_cast<double>(i) * step));
      out.emplace_back(begin, std::min(n, begin + static_cast<std::size_t>(std::ceil(length))));
    }
  }
  return out;
}

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(copy.begin(), middle));
}

// Values about their median, spikes cut down to four noise widths from the running median of five points. The noise
// width is taken from neighbouring differences, so that changes of level do not widen it.
std::vector<double> without_spikes(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
  const double width = 1.4826 / std::numbers::sqrt2 * median(steps);
  const double centre = median(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = std::min(i - std::min<std::size_t>(i, 2), values.size() - 5);
    const double level = median(values.subspan(begin, 5));
    if (width > 0) out[i] = std::clamp(out[i], level - 4 * width, level + 4 * width);
    out[i] -= centre;
  }
  return out;
}

// Takes the surest splits first; an interval that holds a taken change says nothing new.
std::vector<std::size_t> surest_places(std::vector<Split> splits) {
  std::stable_sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) {
    return a.p != b.p ? a.p < b.p : a.end - a.begin < b.end - b.begin;
  });
  std::vector<std::size_t> places;
  for (const Split& split : splits) {
    const bool holds_one =
        std::any_of(places.begin(), places.end(), [&](std::size_t at) { return at > split.begin && at < split.end; });
    if (!holds_one) places.push_back(split.at);
  }
  std::sort(places.begin(), places.end());
  return places;
}

// Looks at each change again between its neighbours: moves it to the best place there, drops the weakest that does not
// stand any longer, and starts anew until all stand.
std::vector<ChangePoint> settle(std::span<const double> values, const Sums& sums, std::vector<std::size_t> places,
                                double intervals, const ChangePointOptions& options) {
  while (true) {
    std::vector<ChangePoint> out;
    std::optional<std::size_t> weakest;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : places[i - 1];
      const std::size_t end = i + 1 < places.size() ? places[i + 1] : values.size();
      const auto split = best_split(sums, begin, end, options.min_size);
      if (split) places[i] = split->at;
      const std::size_t at = places[i];
      const double shift = median(values.subspan(at, end - at)) - median(values.subspan(begin, at - begin));
      out.push_back({at, at - begin, end - at, std::exp(shift), split ? std::min(1.0, split->p * intervals) : 1.0});
      const bool stands = out.back().p <= options.alpha && std::abs(shift) >= std::log1p(options.min_effect);
      if (!stands && (!weakest || out[i].p > out[*weakest].p)) weakest = i;
    }
    if (!weakest) return out;
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(*weakest));
  }
}

std::vector<ChangePoint> find_in(std::span<const double> values, std::span<const double> levels,
                                 const ChangePointOptions& options) {
  const auto intervals = seeded_intervals(values.size(), options.min_size);
  const auto count = static_cast<double>(intervals.size());
  const Sums sums(values);
  std::vector<Split> found;
  for (const auto& [begin, end] : intervals) {
    const auto split = best_split(sums, begin, end, options.min_size);
    if (split && split->p * count <= options.alpha) found.push_back(*split);
  }
  return settle(levels, sums, surest_places(std::move(found)), count, options);
}

// Correlation of neighbouring points about the levels found, with one standard error and what fitting the levels takes
// from it (Kendall, 1954) added; 0 where it is within chance of none.
double correlation_about(std::span<const double> values, const std::vector<ChangePoint>& changes) {
  std::vector<double> rest(values.begin(), values.end());
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i].index : values.size();
    const double mean =
        std::accumulate(&values[begin], &values[begin] + (end - begin), 0.0) / static_cast<double>(end - begin);
    for (std::size_t k = begin; k < end; ++k) rest[k] -= mean;
    begin = end;
  }
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    squares += rest[i] * rest[i];
    if (i > 0) products += rest[i] * rest[i - 1];
  }
  const auto n = static_cast<double>(values.size());
  if (squares <= 0 || products / squares <= kCorrelatedFrom / std::sqrt(n)) return 0;
  const double seen = products / squares;
  const double whole = seen + static_cast<double>(changes.size() + 1) * (1 + 3 * seen) / n;
  return std::min(kCorrelationMost, whole + std::sqrt((1 - seen * seen) / n));
}

// What each point adds to what the one before it lets expect, in the scale of a lasting change of level.
std::vector<double> innovations(std::span<const double> values, double correlation) {
  std::vector<double> out(values.begin(), values.end());
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = (values[i] - correlation * values[i - 1]) / (1 - correlation);
  return out;
}

}  // namespace

double maximal_p(double z, std::size_t first, std::size_t last, std::size_t n) {
  if (z <= 0) return 1;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  const double low = static_cast<double>(first) / static_cast<double>(n);
  const double high = static_cast<double>(last) / static_cast<double>(n);
  const double span = std::log(high * (1 - low) / (low * (1 - high)));
  return std::clamp(4 * density / z + density * (z - 1 / z) * span, 0.0, 1.0);
}

Result<std::vector<ChangePoint>> find_change_points(std::span<const double> log_times,
                                                    const ChangePointOptions& options) {
  if (options.min_size < 2) return fail(Errc::invalid, "a level needs at least 2 points", "min_size");
  for (std::size_t i = 0; i < log_times.size(); ++i)
    if (!std::isfinite(log_times[i])) return fail(Errc::invalid, "not a finite number", "point " + std::to_string(i));
  if (log_times.size() < std::max<std::size_t>(5, 2 * options.min_size)) return std::vector<ChangePoint>{};

  const std::vector<double> values = without_spikes(log_times);
  auto found = find_in(values, values, options);
  const double correlation = correlation_about(values, found);
  if (found.empty() || correlation == 0) return found;
  return find_in(without_spikes(innovations(values, correlation)), values, options);
}

}  // namespace kernelgate::history
