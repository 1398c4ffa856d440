// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/decision/evidence/name_parts.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kRegionsMost = 3;
constexpr std::size_t kConditionsMost = 256;  // pairs of them grow with the square
constexpr std::size_t kLimitsMost = 32;       // values of one size at which a range may end

// Which of a suite's timed benchmarks: one bit each.
class Members {
 public:
  explicit Members(std::size_t count) : words_((count + 63) / 64) {}
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void add_all(const Members& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  // How many of these are also in `a`, and in `b`.
  [[nodiscard]] int count_in(const Members& a, const Members& b) const {
    int out = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) out += std::popcount(words_[i] & a.words_[i] & b.words_[i]);
    return out;
  }
  [[nodiscard]] Members both(const Members& other) const {
    Members out = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) out.words_[i] &= other.words_[i];
    return out;
  }
  [[nodiscard]] Members without(const Members& other) const {
    Members out = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) out.words_[i] &= ~other.words_[i];
    return out;
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct Condition {
  std::string word;       // a part as it stands; or
  std::string dimension;  // a size below `limit`, or from it on
  double limit = 0;
  bool below = false;
  Members members;

  [[nodiscard]] bool is_range() const { return !dimension.empty(); }
  [[nodiscard]] std::string text() const {
    return is_range() ? fmt::format("{} {} {}", dimension, below ? "<" : ">=", limit) : word;
  }
};

struct Suite {
  std::vector<const Comparison*> timed;
  Members all, moved;
};

Suite suite_of(const std::vector<Comparison>& comparisons, Verdict verdict) {
  Suite out{{}, Members(comparisons.size()), Members(comparisons.size())};
  for (const Comparison& comparison : comparisons) {
    if (comparison.pairs == 0) continue;
    out.all.add(out.timed.size());
    if (comparison.verdict == verdict) out.moved.add(out.timed.size());
    out.timed.push_back(&comparison);
  }
  return out;
}

using Sizes = std::map<double, Members>;  // by value

// Every range of one size that ends at a value the names have. The values of a dimension that takes many are thinned.
void add_ranges(const std::string& dimension, const Sizes& sizes, const Suite& suite, std::vector<Condition>& out) {
  const std::size_t step = sizes.size() / kLimitsMost + 1;
  Members below(suite.timed.size()), known(suite.timed.size());
  for (const auto& entry : sizes) known.add_all(entry.second);
  std::size_t place = 0;
  for (const auto& [value, members] : sizes) {
    if (place > 0 && place % step == 0) {
      out.push_back({{}, dimension, value, true, below});
      out.push_back({{}, dimension, value, false, known.without(below)});
    }
    below.add_all(members);
    place += 1;
  }
}

// Words before ranges; those that hold most of what moved, where there are too many.
std::vector<Condition> conditions_of(const Suite& suite) {
  std::map<std::string, Members> words;
  std::map<std::string, Sizes> dimensions;
  for (std::size_t i = 0; i < suite.timed.size(); ++i) {
    const NameParts parts = parse_name(suite.timed[i]->benchmark);
    for (const std::string& word : parts.words) words.try_emplace(word, suite.timed.size()).first->second.add(i);
    for (const NameSize& size : parts.sizes)
      dimensions[size.dimension].try_emplace(size.value, suite.timed.size()).first->second.add(i);
  }
  std::vector<Condition> out;
  for (const auto& [word, members] : words) out.push_back({word, {}, 0, false, members});
  for (const auto& [dimension, sizes] : dimensions) add_ranges(dimension, sizes, suite, out);
  const auto held = [&](const Condition& condition) { return condition.members.count_in(suite.moved, suite.all); };
  std::erase_if(out, [&](const Condition& condition) { return held(condition) < kRegionLeast; });
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return held(a) > held(b); });
  if (out.size() > kConditionsMost) out.erase(out.begin() + kConditionsMost, out.end());
  return out;
}

struct Candidate {
  const Condition* first = nullptr;
  const Condition* second = nullptr;  // null: one condition
  int members = 0, moved = 0, fresh = 0;

  // Explains more; else by fewer conditions, by words rather than ranges, with fewer benchmarks that did not move.
  [[nodiscard]] auto order() const {
    const int ranges = (first->is_range() ? 1 : 0) + (second && second->is_range() ? 1 : 0);
    return std::tuple(-fresh, second ? 1 : 0, ranges, members);
  }
};

std::string text_of(const Candidate& found) {
  if (!found.second) return found.first->text();
  const Condition &a = *found.first, &b = *found.second;
  if (a.is_range() && a.dimension == b.dimension) {
    const Condition &from = a.below ? b : a, &to = a.below ? a : b;
    return fmt::format("{} <= {} < {}", from.limit, a.dimension, to.limit);
  }
  const bool swap = std::tuple(a.is_range(), a.text()) > std::tuple(b.is_range(), b.text());
  return swap ? b.text() + ", " + a.text() : a.text() + ", " + b.text();
}

class Search {
 public:
  Search(const Suite& suite, int moved)
      : suite_(suite), moved_(moved), conditions_(conditions_of(suite)), fresh_(suite.moved) {}

  [[nodiscard]] std::optional<Candidate> best() const {
    std::optional<Candidate> out;
    for (std::size_t a = 0; a < conditions_.size(); ++a) {
      consider({&conditions_[a], nullptr}, conditions_[a].members, out);
      for (std::size_t b = a + 1; b < conditions_.size(); ++b) {
        if (is_one_sided(conditions_[a], conditions_[b])) continue;
        consider({&conditions_[a], &conditions_[b]}, conditions_[b].members, out);
      }
    }
    return out;
  }

  RegionResult explain(const Candidate& found, Verdict verdict) {
    const Members inside = found.second ? found.first->members.both(found.second->members) : found.first->members;
    RegionResult out;
    out.suite = suite_.timed.front()->suite;
    out.text = text_of(found);
    out.verdict = verdict;
    out.members = found.members;
    out.moved = found.moved;
    out.others_moved = moved_ - found.moved;
    std::vector<double> shifts;
    for (std::size_t i = 0; i < suite_.timed.size(); ++i)
      if (inside.has(i) && suite_.moved.has(i) && suite_.timed[i]->ratio)
        shifts.push_back(std::log(*suite_.timed[i]->ratio));
    if (const auto median = stats::median(shifts)) out.median_ratio = std::exp(*median);
    fresh_ = fresh_.without(inside);
    return out;
  }

 private:
  // "K < 512" and "K < 1024": the second adds nothing.
  static bool is_one_sided(const Condition& a, const Condition& b) {
    return a.is_range() && a.dimension == b.dimension && a.below == b.below;
  }

  void consider(Candidate candidate, const Members& other, std::optional<Candidate>& best) const {
    const Members& members = candidate.first->members;
    candidate.fresh = members.count_in(other, fresh_);
    if (candidate.fresh < kRegionLeast) return;
    candidate.moved = members.count_in(other, suite_.moved);
    candidate.members = members.count_in(other, suite_.all);
    const auto inside = static_cast<double>(candidate.members), all = static_cast<double>(suite_.timed.size());
    if (inside >= all || candidate.moved < kRegionInside * inside) return;
    if (moved_ - candidate.moved > kRegionOutside * (all - inside)) return;
    if (!best || candidate.order() < best->order()) best = candidate;
  }

  const Suite& suite_;
  const int moved_;
  const std::vector<Condition> conditions_;
  Members fresh_;  // moved, and explained by no region yet
};

}  // namespace

std::vector<RegionResult> find_regions(const std::vector<Comparison>& comparisons, Verdict verdict) {
  const Suite suite = suite_of(comparisons, verdict);
  const int moved = suite.all.count_in(suite.moved, suite.moved);
  std::vector<RegionResult> out;
  if (moved < kRegionLeast) return out;
  Search search(suite, moved);
  while (out.size() < kRegionsMost) {
    const auto found = search.best();
    if (!found) break;
    out.push_back(search.explain(*found, verdict));
  }
  return out;
}

std::string region_text(const RegionResult& region) {
  return fmt::format("{}: {} of {} benchmarks {} (median {}), {} elsewhere", region.text, region.moved, region.members,
                     to_string(region.verdict), percent(region.median_ratio), region.others_moved);
}

}  // namespace kernelgate
