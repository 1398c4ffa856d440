// SPDX-License-Identifier: Apache-2.0
#pragma once

// What git tells a hook about a push, and which base each pushed branch gets (docs/GLOSSARY.md, base). Pure.

#include <string>
#include <string_view>
#include <vector>

#include "core/units/git_hash.hpp"
#include "core/units/result.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::hook {

struct PushedBranch {
  std::string branch;  // without refs/heads/
  CommitHash head;
  std::string before;  // hash of the tip before the push; zeros for a new branch
};

// stdin of pre-push: "<local ref> <local hash> <remote ref> <remote hash>" a line.
// Deleted branches and what is no branch (tags, notes) are left out.
[[nodiscard]] Result<std::vector<PushedBranch>> parse_pre_push(std::string_view text);
// stdin of post-receive: "<old hash> <new hash> <ref>" a line.
[[nodiscard]] Result<std::vector<PushedBranch>> parse_post_receive(std::string_view text);

// The default branch: the tip before the push (new: no base). Another branch: the merge base with the default branch.
[[nodiscard]] wire::BaseRequest base_of(const PushedBranch& pushed, const std::string& default_branch);

}  // namespace kernelgate::hook
