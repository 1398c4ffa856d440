// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace kernelgate::ledger {
namespace {

using Points = std::vector<const TriedPoint*>;

std::string joined(const PointValues& values, const char* before) {
  std::string out;
  for (const auto& [axis, value] : values) out += (out.empty() ? "" : " ") + (before + axis) + "=" + value;
  return out;
}

// The failures of some points in words: "(4 points: misaligned address)", or each kind with its number.
std::string kinds_of(const Points& points) {
  std::map<std::string, int> kinds;
  for (const TriedPoint* point : points) ++kinds[point->outcome];
  std::string out;
  for (const auto& [kind, count] : kinds)
    out += (out.empty() ? "" : ", ") + (kinds.size() == 1 ? kind : fmt::format("{} {}", count, kind));
  return fmt::format("({} point{}: {})", points.size(), points.size() == 1 ? "" : "s", out);
}

bool meets(const TriedPoint& point, const PointValues& condition) {
  return std::all_of(condition.begin(), condition.end(), [&](const auto& entry) {
    const auto own = point.values.find(entry.first);
    return own != point.values.end() && own->second == entry.second;
  });
}

Points meeting(const std::vector<TriedPoint>& points, const PointValues& condition) {
  Points out;
  for (const TriedPoint& point : points)
    if (meets(point, condition)) out.push_back(&point);
  return out;
}

bool all_fail(const Points& points) {
  return !points.empty() && std::all_of(points.begin(), points.end(), [](const auto* p) { return p->failed; });
}

std::map<std::string, std::set<std::string>> axes_of(const std::vector<TriedPoint>& points) {
  std::map<std::string, std::set<std::string>> out;
  for (const TriedPoint& point : points)
    for (const auto& [axis, value] : point.values) out[axis].insert(value);
  return out;
}

// Values of one axis with which every point fails; `known` gets them.
std::vector<std::string> single_constraints(const std::vector<TriedPoint>& points, std::vector<PointValues>& known) {
  std::vector<std::string> out;
  for (const auto& [axis, values] : axes_of(points)) {
    std::vector<std::string> failing, working;
    Points failed;
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

bool implied(const PointValues& condition, const std::vector<PointValues>& known) {
  return std::any_of(known.begin(), known.end(), [&](const PointValues& each) {
    return std::includes(condition.begin(), condition.end(), each.begin(), each.end());
  });
}

std::vector<std::string> pair_constraints(const std::vector<TriedPoint>& points,
                                          const std::vector<PointValues>& known) {
  std::vector<std::string> out;
  const auto axes = axes_of(points);
  for (auto first = axes.begin(); first != axes.end(); ++first)
    for (auto second = std::next(first); second != axes.end(); ++second)
      for (const std::string& a : first->second)
        for (const std::string& b : second->second) {
          if (first->second.size() < 2 || second->second.size() < 2) continue;
          const PointValues condition{{first->first, a}, {second->first, b}};
          const auto with = meeting(points, condition);
          if (all_fail(with) && !implied(condition, known))
            out.push_back(
                fmt::format("{} = {} with {} = {} fails {}", first->first, a, second->first, b, kinds_of(with)));
        }
  return out;
}

}  // namespace

std::string point_name(const PointValues& values) { return joined(values, ""); }
std::string point_defines(const PointValues& values) { return joined(values, "-D"); }

PointValues parse_point(std::string_view text) {
  PointValues out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.starts_with("-D")) word.remove_prefix(2);
    const auto equals = word.find('=');
    if (equals != word.npos) out[std::string(word.substr(0, equals))] = word.substr(equals + 1);
  }
  return out;
}

std::vector<std::string> constraints_of(const std::vector<TriedPoint>& points) {
  std::vector<PointValues> known;
  std::vector<std::string> out = single_constraints(points, known);
  for (std::string& text : pair_constraints(points, known)) out.push_back(std::move(text));
  return out;
}

}  // namespace kernelgate::ledger
