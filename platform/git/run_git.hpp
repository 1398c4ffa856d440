// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts the git program with a clean environment. Private to runner/git.

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::git_detail {

// `global` are git's own options ("-C", "--git-dir=…"); a non-zero exit is an Error with git's last words.
[[nodiscard]] Result<std::string> run_git(const std::vector<std::string>& global, const GitCall& call,
                                          GitConfig config);

}  // namespace kernelgate::git_detail
