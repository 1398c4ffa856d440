// SPDX-License-Identifier: Apache-2.0
#include "runner/source/base.hpp"

namespace kernelgate {
namespace {

Result<ResolvedBase> first_parent_of(const Git& git, const CommitHash& head, const std::string& why) {
  const auto facts = git.facts(head);
  if (!facts) return pass_on(facts);
  if (!facts->parents.empty()) return ResolvedBase{facts->parents.front(), why + "first parent of head"};
  const auto shallow = git.is_shallow_at(head);
  if (!shallow) return pass_on(shallow);
  if (*shallow)
    return fail(Errc::not_found, "the history ends at " + head.short_str() + ": the repository is a shallow clone", {},
                "fetch the rest of it: git fetch --unshallow");
  return ResolvedBase{std::nullopt, why + "head is a root commit: no base"};
}

Result<ResolvedBase> tip_before(const Git& git, const CommitHash& head, const std::string& before) {
  const bool none = before.find_first_not_of('0') == std::string::npos;
  if (none) return ResolvedBase{std::nullopt, "the branch is new: no tip before the push, no base"};
  const auto commit = git.resolve(before);
  if (commit) return ResolvedBase{*commit, "tip of the branch before the push"};
  if (commit.error().code != Errc::not_found) return pass_on(commit);
  return first_parent_of(git, head, "the tip before the push (" + before.substr(0, 10) + ") is gone; ");
}

Result<ResolvedBase> merge_base_with(const Git& git, const CommitHash& head, const std::string& target) {
  const auto tip = git.resolve(target);
  if (!tip) return pass_on(tip);
  const auto found = git.merge_base(head, *tip);
  if (!found) return pass_on(found);
  if (!*found) return ResolvedBase{std::nullopt, "head and " + target + " have no common ancestor: no base"};
  // A commit against itself would tell nothing.
  if (**found == head) return first_parent_of(git, head, "head is part of " + target + " already; ");
  return ResolvedBase{**found, "merge base with " + target};
}

std::string plural(int count) { return std::to_string(count) + (count == 1 ? " commit" : " commits"); }

}  // namespace

Result<ResolvedBase> resolve_base(const Git& git, const CommitHash& head, const wire::BaseRequest& request) {
  if (const auto known = git.facts(head); !known) return pass_on(known);
  switch (request.kind) {
    case wire::BaseKind::explicit_commit: {
      const auto commit = git.resolve(request.argument);
      if (!commit) return pass_on(commit);
      return ResolvedBase{*commit, "asked for: " + request.argument};
    }
    case wire::BaseKind::before: return tip_before(git, head, request.argument);
    case wire::BaseKind::merge_base: return merge_base_with(git, head, request.argument);
    case wire::BaseKind::first_parent: return first_parent_of(git, head, "");
    case wire::BaseKind::none: return ResolvedBase{std::nullopt, "head is timed alone"};
  }
  return fail(Errc::invalid, "unknown kind of base");
}

Result<GoodBase> find_good_base(const Git& git, const CommitHash& start, const BaseJudge& judge, int ancestors_max) {
  const auto line = git.first_parents(start, ancestors_max + 1);
  if (!line) return pass_on(line);
  GoodBase out;
  std::string passed_over;
  for (const auto& commit : *line) {
    const auto bad = judge(commit);
    if (!bad) return pass_on(bad);
    if (!*bad) {
      out.commit = commit;
      if (out.steps > 0)
        out.reason = "base moved back to " + commit.short_str() + " (" + plural(out.steps) + "): " + passed_over;
      return out;
    }
    ++out.steps;
    if (!passed_over.empty()) passed_over += ", ";
    passed_over += commit.short_str() + " " + **bad;
  }
  out.reason = "no good base among " + plural(out.steps) + ": " + passed_over;
  return out;
}

}  // namespace kernelgate
