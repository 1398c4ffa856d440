// SPDX-License-Identifier: Apache-2.0
#pragma once

// Describes a commit of a local repository as a trigger, with the trees that let the server answer at once what was
// judged before. Reads the repository only.

#include <string>

#include "core/units/result.hpp"
#include "core/wire/messages.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::hook {

struct TriggerSubject {
  std::string repository;  // registered name
  CommitHash commit;
  std::string branch;
  wire::BaseRequest base;
  std::string source;  // cli, post-commit, pre-push, post-receive
  std::string remote;  // whose branches merge bases are taken with here; empty: the repository's own
};

// Errc::not_found when the commit is not in the repository. Trees that cannot be found out are left out: the runner
// finds them later.
[[nodiscard]] Result<wire::Trigger> make_trigger(const Git& git, const TriggerSubject& subject);

}  // namespace kernelgate::hook
