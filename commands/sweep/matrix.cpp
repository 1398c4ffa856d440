// SPDX-License-Identifier: Apache-2.0
#include "commands/sweep/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/ledger/constraints.hpp"
#include "core/ledger/outcome.hpp"

namespace kernelgate::local {
namespace {

std::string text_of(const AxisValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  return fmt::format("{}", std::get<double>(value));
}

}  // namespace

std::string Point::name() const { return ledger::point_name(values); }
std::string Point::defines() const { return ledger::point_defines(values); }

std::vector<Point> points_of(const Sweep& sweep) {
  std::vector<Point> out(1);
  for (const auto& [axis, values] : sweep.axes) {
    std::vector<Point> longer;
    for (const Point& point : out)
      for (const AxisValue& value : values) {
        longer.push_back(point);
        longer.back().values[axis] = text_of(value);
      }
    out = std::move(longer);
  }
  Point reference;
  for (const auto& [axis, value] : sweep.reference) reference.values[axis] = text_of(value);
  const auto found =
      std::find_if(out.begin(), out.end(), [&](const Point& point) { return point.values == reference.values; });
  if (found != out.end()) std::rotate(out.begin(), found, found + 1);
  return out;
}

PointResult judge_point(const Point& point, const RunDecision& decision) {
  PointResult out;
  out.point = point;
  double logs = 0;
  for (const Comparison& comparison : decision.comparisons) {
    out.gpu_s += comparison.gpu_s;
    if (!comparison.ratio || !(*comparison.ratio > 0)) continue;
    logs += std::log(*comparison.ratio);
    ++out.benchmarks;
  }
  ledger::Judged judged = ledger::judge_attempt(decision);
  out.failed = is_failure(judged.outcome);
  out.outcome = judged.outcome;
  out.text = std::move(judged.text);
  if (!out.failed && out.benchmarks > 0) out.ratio = std::exp(logs / out.benchmarks);
  return out;
}

void conclude_sweep(SweepResult& sweep) {
  const PointResult* best = nullptr;
  for (const PointResult& point : sweep.points) {
    const bool is_reference = point.outcome == AttemptOutcome::reference;
    const bool counts = is_reference || point.outcome == AttemptOutcome::won || point.outcome == AttemptOutcome::mixed;
    const double ratio = is_reference ? 1 : point.ratio.value_or(1);
    if (counts && !point.failed && (best == nullptr || ratio < best->ratio.value_or(1))) best = &point;
  }
  sweep.best = best == nullptr ? std::string() : best->point.name();
  std::vector<ledger::TriedPoint> tried;
  for (const PointResult& point : sweep.points)
    tried.push_back({point.point.values, words(point.outcome), point.failed});
  sweep.constraints = ledger::constraints_of(tried);
}

}  // namespace kernelgate::local
