// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which commit is base of a head (docs/GLOSSARY.md): the one place where that is decided. The runner asks it about its
// mirror, hooks about the user's repository. Reads only.

#include <functional>
#include <optional>
#include <string>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "core/wire/messages.hpp"
#include "platform/git/git.hpp"

namespace kernelgate {

struct ResolvedBase {
  std::optional<CommitHash> commit;  // none: head is measured alone
  std::string reason;                // for people: "first parent of head", "root commit: no base", …
};

// Errc::not_found when the request names a commit or branch that does not exist.
[[nodiscard]] Result<ResolvedBase> resolve_base(const Git& git, const CommitHash& head,
                                                const wire::BaseRequest& request);

// Empty: good. Otherwise why that commit cannot be base ("does not build"). An error ends the walk.
using BaseJudge = std::function<Result<std::optional<std::string>>(const CommitHash&)>;

struct GoodBase {
  std::optional<CommitHash> commit;  // none of those looked at is good
  int steps = 0;                     // 0: `start` itself
  std::string reason;                // names each commit passed over, and why
};

// The nearest good commit among `start` and its first-parent ancestors, at most `ancestors_max` of them.
[[nodiscard]] Result<GoodBase> find_good_base(const Git& git, const CommitHash& start, const BaseJudge& judge,
                                              int ancestors_max = limits::kAncestorsMax);

}  // namespace kernelgate
