// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which branch a local run is of: the ledger tells tries from the main line by it. Reads the repository only.

#include <string>

#include "platform/git/git.hpp"

namespace kernelgate::local {

// The remote's, else main or master where there is one.
[[nodiscard]] std::string default_branch_of(const Git& git);

// `revision` as the caller wrote it: the branch it names, or HEAD stands on; else one that holds the commit, the
// default branch before others. Empty: none does.
[[nodiscard]] std::string branch_of(const Git& git, const std::string& revision, const CommitHash& commit);

}  // namespace kernelgate::local
