// SPDX-License-Identifier: Apache-2.0
#include "core/decision/regions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "core/decision/reason.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kRegionsMax = 3;
constexpr std::size_t kPartsMax = 12;  // of a name: pairs of parts grow with the square

using Parts = std::vector<std::string>;

std::set<std::string> parts_of(std::string_view name) {
  std::set<std::string> out;
  while (out.size() < kPartsMax) {
    const std::size_t slash = name.find('/');
    if (slash != 0 && !name.empty()) out.emplace(name.substr(0, slash));
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
  }
  return out;
}

struct Group {
  std::vector<std::size_t> members;
  int moved = 0;
  int fresh = 0;  // moved and not yet explained
};

struct Timed {
  const Comparison* comparison;
  bool moved;
  bool explained;
};

std::map<Parts, Group> groups_of(const std::vector<Timed>& timed) {
  std::map<Parts, Group> out;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const std::set<std::string> parts = parts_of(timed[i].comparison->benchmark);
    for (auto a = parts.begin(); a != parts.end(); ++a) {
      out[{*a}].members.push_back(i);
      for (auto b = std::next(a); b != parts.end(); ++b) out[{*a, *b}].members.push_back(i);
    }
  }
  return out;
}

// Explains more benchmarks; else by fewer parts.
bool is_better(const Parts& parts, const Group& group, const Parts& best_parts, const Group& best) {
  if (group.fresh != best.fresh) return group.fresh > best.fresh;
  return parts.size() < best_parts.size();
}

Region region_of(const Parts& parts, const Group& group, std::vector<Timed>& timed, int moved, Verdict verdict) {
  Region out;
  out.parts = parts;
  out.verdict = verdict;
  out.members = static_cast<int>(group.members.size());
  out.moved = group.moved;
  out.others_moved = moved - group.moved;
  std::vector<double> shifts;
  for (std::size_t i : group.members) {
    timed[i].explained = true;
    if (timed[i].moved && timed[i].comparison->ratio) shifts.push_back(std::log(*timed[i].comparison->ratio));
  }
  if (const auto median = stats::median(shifts)) out.median_ratio = std::exp(*median);
  return out;
}

}  // namespace

std::vector<Region> find_regions(const std::vector<Comparison>& comparisons, Verdict verdict) {
  std::vector<Timed> timed;
  int moved = 0;
  for (const Comparison& comparison : comparisons) {
    if (comparison.pairs == 0) continue;
    timed.push_back({&comparison, comparison.verdict == verdict, false});
    moved += timed.back().moved ? 1 : 0;
  }
  std::vector<Region> out;
  if (moved < kRegionLeast) return out;
  std::map<Parts, Group> groups = groups_of(timed);
  while (out.size() < kRegionsMax) {
    auto best = groups.end();
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      auto& [parts, found] = *group;
      found.moved = found.fresh = 0;
      for (std::size_t i : found.members) {
        found.moved += timed[i].moved ? 1 : 0;
        found.fresh += timed[i].moved && !timed[i].explained ? 1 : 0;
      }
      const auto inside = static_cast<double>(found.members.size()), all = static_cast<double>(timed.size());
      if (found.fresh < kRegionLeast || inside >= all || found.moved < kRegionInside * inside) continue;
      if (moved - found.moved > kRegionOutside * (all - inside)) continue;
      if (best == groups.end() || is_better(parts, found, best->first, best->second)) best = group;
    }
    if (best == groups.end()) break;
    out.push_back(region_of(best->first, best->second, timed, moved, verdict));
  }
  return out;
}

std::string region_text(const Region& region) {
  return fmt::format("{}: {} of {} benchmarks {} (median {}), {} elsewhere", fmt::join(region.parts, ", "),
                     region.moved, region.members, to_string(region.verdict), percent(region.median_ratio),
                     region.others_moved);
}

}  // namespace kernelgate
