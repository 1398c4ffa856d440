// SPDX-License-Identifier: Apache-2.0
#pragma once

// The git program for the demo's own repositories: the user's and the system's configuration is left out, so that
// hashes are the same everywhere; hooks do run.

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::demo {

struct GitRun {
  std::filesystem::path folder;
  std::vector<std::string> args;
  std::vector<std::string> env{};  // added
  std::string stdin_text{};
};
// stdout and stderr of a successful call.
[[nodiscard]] Result<std::string> git(const GitRun& run);

}  // namespace kernelgate::demo
