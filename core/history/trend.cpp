// SPDX-License-Identifier: Apache-2.0
#include "core/history/trend.hpp"

#include <algorithm>
#include <cmath>

namespace kernelgate::history {
namespace {

double squares_about_mean(std::span<const double> values) {
  double mean = 0, squares = 0;
  for (double value : values) mean += value / static_cast<double>(values.size());
  for (double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

// What levels between the changes leave over; `begin` is the place of values[0] in the history.
double left_by_steps(std::span<const double> values, std::size_t begin, std::span<const ChangePoint> inside) {
  double left = 0;
  std::size_t from = 0;
  for (const ChangePoint& change : inside) {
    left += squares_about_mean(values.subspan(from, change.index - begin - from));
    from = change.index - begin;
  }
  return left + squares_about_mean(values.subspan(from));
}

double left_by_hinge(std::span<const double> values, const Creep& creep) {
  const double slope = std::log(creep.ratio_per_point);
  std::vector<double> flat;
  for (std::size_t i = 0; i < values.size(); ++i)
    flat.push_back(values[i] - slope * static_cast<double>(i - std::min(i, creep.start)));
  return squares_about_mean(flat);
}

// Bayesian information criterion: less is better.
double criterion(double left_over, std::size_t points, std::size_t parameters) {
  const auto n = static_cast<double>(points);
  return n * std::log(left_over / n + 1e-24) + static_cast<double>(parameters) * std::log(n);
}

bool hinge_is_better(std::span<const double> values, std::size_t begin, std::span<const ChangePoint> inside,
                     const Creep& creep) {
  const double hinge = criterion(left_by_hinge(values, creep), values.size(), 3);
  return hinge < criterion(left_by_steps(values, begin, inside), values.size(), 2 * inside.size() + 1);
}

}  // namespace

Result<Trend> find_trend(std::span<const double> log_times, const ChangePointOptions& steps,
                         const CreepOptions& creep) {
  auto changes = find_change_points(log_times, steps);
  if (!changes) return pass_on(changes);
  Trend out{std::move(*changes), std::nullopt};
  CreepOptions each = creep;  // the chance of a false report is shared by all stretches
  each.alpha /= static_cast<double>(out.changes.size() + 1);
  for (std::size_t i = 0; i <= out.changes.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : out.changes[i - 1].index;
    const std::span<const ChangePoint> inside = std::span(out.changes).subspan(i);
    auto found = find_creep(log_times.subspan(begin), each);
    if (!found) return pass_on(found);
    if (!*found || !hinge_is_better(log_times.subspan(begin), begin, inside, **found)) continue;
    out.creep = **found;
    out.creep->start += begin;
    const auto explained = [&](const ChangePoint& change) { return change.index > out.creep->start; };
    out.changes.erase(std::remove_if(out.changes.begin(), out.changes.end(), explained), out.changes.end());
    break;
  }
  return out;
}

Result<std::vector<ChangePoint>> newly_confirmed(std::span<const double> log_times, const Trend& trend,
                                                 const ChangePointOptions& steps) {
  std::vector<ChangePoint> out;
  if (trend.changes.empty()) return out;
  const auto before = find_change_points(log_times.first(log_times.size() - 1), steps);
  if (!before) return pass_on(before);
  for (const ChangePoint& change : trend.changes) {
    // A place may still move by a few points while its level is young.
    const bool known = std::any_of(before->begin(), before->end(), [&](const ChangePoint& old) {
      return std::max(old.index, change.index) - std::min(old.index, change.index) < steps.min_size;
    });
    if (!known) out.push_back(change);
  }
  return out;
}

}  // namespace kernelgate::history
