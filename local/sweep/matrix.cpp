// SPDX-License-Identifier: Apache-2.0
#include "local/sweep/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "core/decision/reason.hpp"

namespace kernelgate::local {
namespace {

std::string text_of(const AxisValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  return fmt::format("{}", std::get<double>(value));
}

std::string joined(const Point& point, const char* before) {
  std::string out;
  for (const auto& [axis, value] : point.values) out += (out.empty() ? "" : " ") + (before + axis) + "=" + value;
  return out;
}

// What CUDA calls the failure, where the text says so.
std::string crash_of(const std::string& text) {
  constexpr std::array<std::pair<const char*, const char*>, 10> kKnown{{{"misaligned address", "misaligned address"},
                                                                        {"MisalignedAddress", "misaligned address"},
                                                                        {"illegal memory access", "illegal address"},
                                                                        {"IllegalAddress", "illegal address"},
                                                                        {"out of memory", "out of memory"},
                                                                        {"MemoryAllocation", "out of memory"},
                                                                        {"too many resources", "too many resources"},
                                                                        {"LaunchOutOfResources", "too many resources"},
                                                                        {"invalid argument", "invalid launch"},
                                                                        {"InvalidValue", "invalid launch"}}};
  for (const auto& [words, name] : kKnown)
    if (text.find(words) != text.npos) return name;
  return "crashed";
}

const Comparison* first_of(const RunDecision& decision, Verdict verdict) {
  for (const Comparison& comparison : decision.comparisons)
    if (comparison.verdict == verdict) return &comparison;
  return nullptr;
}

// Fills outcome and text if a benchmark or check of the point failed.
bool judge_failure(const RunDecision& decision, PointResult& out) {
  if (decision.conclusion == Conclusion::build_failed) {
    out.outcome = "did not compile";
    out.text = decision.summary;
    return true;
  }
  for (const Verdict verdict : {Verdict::broken, Verdict::crashed, Verdict::timed_out, Verdict::invalid}) {
    const Comparison* found = first_of(decision, verdict);
    if (found == nullptr) continue;
    out.outcome = verdict == Verdict::crashed     ? crash_of(found->reason)
                  : verdict == Verdict::timed_out ? "timed out"
                                                  : std::string(to_string(verdict));
    out.text = found->benchmark + ": " + found->reason;
    return true;
  }
  return false;
}

// A point that is tried as the reference is base too: it fails as base before head is asked, or on both sides.
bool judge_reference(const RunDecision& decision, PointResult& out) {
  std::string why = decision.reason;
  for (const Comparison& comparison : decision.comparisons)
    if (comparison.pairs == 0 && comparison.reason.find("fails on both sides: ") != std::string::npos)
      why = "the reference point: " + comparison.benchmark + " " + comparison.reason;
  if (why.find("the reference point: ") == why.npos) return false;
  if (why.find(" is broken") != why.npos)
    out.outcome = "broken";
  else if (why.find(" is timed_out") != why.npos || why.find("timed out") != why.npos)
    out.outcome = "timed out";
  else
    out.outcome = crash_of(why);
  out.text = why;
  return true;
}

// The failures of some points in words: "4 points: misaligned address", or each kind with its number.
std::string kinds_of(const std::vector<const PointResult*>& points) {
  std::map<std::string, int> kinds;
  for (const PointResult* point : points) ++kinds[point->outcome];
  std::string out;
  for (const auto& [kind, count] : kinds)
    out += (out.empty() ? "" : ", ") + (kinds.size() == 1 ? kind : fmt::format("{} {}", count, kind));
  return fmt::format("({} point{}: {})", points.size(), points.size() == 1 ? "" : "s", out);
}

using Condition = std::map<std::string, std::string>;  // axis to value

bool meets(const PointResult& result, const Condition& condition) {
  return std::all_of(condition.begin(), condition.end(),
                     [&](const auto& entry) { return result.point.values.at(entry.first) == entry.second; });
}

std::vector<const PointResult*> meeting(const std::vector<PointResult>& points, const Condition& condition) {
  std::vector<const PointResult*> out;
  for (const PointResult& point : points)
    if (meets(point, condition)) out.push_back(&point);
  return out;
}

bool all_fail(const std::vector<const PointResult*>& points) {
  return !points.empty() && std::all_of(points.begin(), points.end(), [](const auto* p) { return p->failed; });
}

std::map<std::string, std::set<std::string>> axes_of(const std::vector<PointResult>& points) {
  std::map<std::string, std::set<std::string>> out;
  for (const PointResult& point : points)
    for (const auto& [axis, value] : point.point.values) out[axis].insert(value);
  return out;
}

// Values of one axis with which every point fails; `known` gets them.
std::vector<std::string> single_constraints(const std::vector<PointResult>& points, std::vector<Condition>& known) {
  std::vector<std::string> out;
  for (const auto& [axis, values] : axes_of(points)) {
    std::vector<std::string> failing, working;
    std::vector<const PointResult*> failed;
    for (const std::string& value : values) {
      const auto with = meeting(points, {{axis, value}});
      (all_fail(with) ? failing : working).push_back(value);
      if (all_fail(with)) failed.insert(failed.end(), with.begin(), with.end());
    }
    if (failing.empty() || working.empty()) continue;
    for (const std::string& value : failing) known.push_back({{axis, value}});
    if (working.size() == 1 && values.size() > 2)
      out.push_back(fmt::format("every {} other than {} fails {}", axis, working.front(), kinds_of(failed)));
    else
      for (const std::string& value : failing)
        out.push_back(fmt::format("{} = {} fails {}", axis, value, kinds_of(meeting(points, {{axis, value}}))));
  }
  return out;
}

bool implied(const Condition& condition, const std::vector<Condition>& known) {
  return std::any_of(known.begin(), known.end(), [&](const Condition& each) {
    return std::includes(condition.begin(), condition.end(), each.begin(), each.end());
  });
}

// Pairs of values that fail together though neither fails alone.
std::vector<std::string> pair_constraints(const std::vector<PointResult>& points, const std::vector<Condition>& known) {
  std::vector<std::string> out;
  const auto axes = axes_of(points);
  for (auto first = axes.begin(); first != axes.end(); ++first)
    for (auto second = std::next(first); second != axes.end(); ++second)
      for (const std::string& a : first->second)
        for (const std::string& b : second->second) {
          const Condition condition{{first->first, a}, {second->first, b}};
          const auto with = meeting(points, condition);
          if (first->second.size() < 2 || second->second.size() < 2) continue;
          if (all_fail(with) && !implied(condition, known))
            out.push_back(fmt::format("{} = {} with {} = {} fails {}", first->first, a, second->first, b,
                                      kinds_of(with)));
        }
  return out;
}

}  // namespace

std::string Point::name() const { return joined(*this, ""); }
std::string Point::defines() const { return joined(*this, "-D"); }

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
  const auto found = std::find_if(out.begin(), out.end(),
                                  [&](const Point& point) { return point.values == reference.values; });
  if (found != out.end()) std::rotate(out.begin(), found, found + 1);
  return out;
}

PointResult judge_point(const Point& point, const RunDecision& decision) {
  PointResult out;
  out.point = point;
  double logs = 0;
  bool faster = false, slower = false, open = false, timed = false;
  for (const Comparison& comparison : decision.comparisons) {
    out.gpu_s += comparison.gpu_s;
    if (comparison.ratio && *comparison.ratio > 0) {
      logs += std::log(*comparison.ratio);
      ++out.benchmarks;
    }
    faster = faster || comparison.verdict == Verdict::improved;
    slower = slower || comparison.verdict == Verdict::regressed;
    open = open || comparison.verdict == Verdict::undecided || comparison.verdict == Verdict::suspected;
    timed = timed || comparison.pairs > 0;
  }
  out.failed = judge_failure(decision, out) || judge_reference(decision, out);
  if (out.failed) return out;
  if (out.benchmarks > 0) out.ratio = std::exp(logs / out.benchmarks);
  const bool identical = first_of(decision, Verdict::identical) != nullptr;
  if (!timed && !identical)
    out.outcome = "not measured";
  else if (faster || slower)
    out.outcome = faster && slower ? "mixed" : faster ? "won" : "lost";
  else
    out.outcome = open ? "undecided" : timed ? "unchanged" : "identical";
  out.text = out.outcome == "not measured" ? decision.reason : decision.summary;
  return out;
}

void conclude_sweep(SweepResult& sweep) {
  const PointResult* best = nullptr;
  for (const PointResult& point : sweep.points) {
    const bool counts = point.outcome == "reference" || point.outcome == "won" || point.outcome == "mixed";
    const double ratio = point.outcome == "reference" ? 1 : point.ratio.value_or(1);
    if (counts && !point.failed && (best == nullptr || ratio < best->ratio.value_or(1))) best = &point;
  }
  sweep.best = best == nullptr ? std::string() : best->point.name();
  std::vector<Condition> known;
  sweep.constraints = single_constraints(sweep.points, known);
  for (std::string& text : pair_constraints(sweep.points, known)) sweep.constraints.push_back(std::move(text));
}

}  // namespace kernelgate::local
