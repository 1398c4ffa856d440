// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "commands/bisect/bisect.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::local {

Result<std::vector<CommitHash>> commit_line(const Git& git, const std::string& good, const std::string& bad) {
  const auto first = git.resolve(good);
  if (!first) return pass_on(first);
  const auto last = git.resolve(bad);
  if (!last) return pass_on(last);
  if (first->str() == last->str())
    return fail(Errc::invalid, "good and bad are the same commit, " + first->short_str(), "--good", "name two commits");
  auto line = git.first_parents(*last, limits::kBisectionCommitsMax + 1);
  if (!line) return pass_on(line);
  const auto found =
      std::find_if(line->begin(), line->end(), [&](const CommitHash& one) { return one.str() == first->str(); });
  if (found != line->end()) {
    line->erase(found + 1, line->end());
    std::reverse(line->begin(), line->end());
    if (line->size() > static_cast<std::size_t>(limits::kBisectionCommitsMax)) line->clear();
  } else if (line->size() <= static_cast<std::size_t>(limits::kBisectionCommitsMax)) {
    const auto common = git.merge_base(*first, *last);
    const bool merged = common && *common && (*common)->str() == first->str();
    return fail(Errc::invalid,
                merged ? first->short_str() + " came in by a merge: it is not on the first-parent line of " + bad
                       : first->short_str() + " is no ancestor of " + bad,
                "--good", merged ? "name the commit before that merge" : "name an ancestor; are good and bad swapped?");
  } else {
    line->clear();
  }
  if (line->empty())
    return fail(Errc::too_large, fmt::format("more than {} commits from good to bad", limits::kBisectionCommitsMax),
                "--good", "name a later good commit");
  return line;
}

}  // namespace kernelgate::local
