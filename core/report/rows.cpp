// SPDX-License-Identifier: Apache-2.0
#include "core/report/rows.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/decision/evidence/name_parts.hpp"
#include "core/report/cells.hpp"

namespace kernelgate::report {
namespace {

bool is_quiet(const Comparison& c) {
  return c.verdict == Verdict::unchanged || c.verdict == Verdict::identical || c.verdict == Verdict::added;
}

}  // namespace

Rows rows_of(const std::vector<Comparison>& comparisons, std::size_t most) {
  Rows out{.shown = in_reading_order(comparisons), .hidden = {}};
  if (out.shown.size() <= most) return out;
  const auto quiet =
      std::stable_partition(out.shown.begin(), out.shown.end(), [](const auto& c) { return !is_quiet(c); });
  const auto first_hidden = std::min(quiet, out.shown.begin() + static_cast<std::ptrdiff_t>(most));
  std::map<std::pair<std::string, std::string>, std::vector<Comparison>> families;
  for (auto c = first_hidden; c != out.shown.end(); ++c)
    families[{c->suite, std::string(family_of(c->benchmark))}].push_back(*c);
  out.shown.erase(first_hidden, out.shown.end());
  for (const auto& [name, members] : families)
    out.hidden.push_back((name.first.empty() ? "" : name.first + ": ") + name.second + ": " + counts_of(members));
  return out;
}

}  // namespace kernelgate::report
