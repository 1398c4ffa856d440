// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compilers, interpreters and libraries outside /usr that programs in the sandbox may read, each folder at its own
// path: those that a person named, and, for runs on a person's own machine, those that its environment names. Never the
// home folder as a whole, never where keys and passwords lie, never a folder that any user may write.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate {

struct Toolchain {
  std::vector<std::filesystem::path> folders;            // shown read-only, none below another
  std::vector<std::string> path;                         // folders ahead of the sandbox's own PATH
  std::vector<std::pair<std::string, std::string>> env;  // LD_LIBRARY_PATH, VIRTUAL_ENV, …
  std::vector<std::string> left_out;                     // "FOLDER: why", of what the environment names
};

using Environment = std::map<std::string, std::string>;
[[nodiscard]] Environment environment_of_this_process();

// Folders that a person named: the programs in them, or in their `bin`, come first. Errc::invalid: not a folder, or one
// that is never shown.
[[nodiscard]] Result<Toolchain> named_toolchain(const std::vector<std::filesystem::path>& folders,
                                                const std::filesystem::path& home);

// The same, and what PATH, LD_LIBRARY_PATH, VIRTUAL_ENV, CONDA_PREFIX, CUDA_HOME and, where modules are loaded, their
// variables name.
[[nodiscard]] Result<Toolchain> local_toolchain(const std::vector<std::filesystem::path>& folders,
                                                const Environment& environment);

// What the sandbox always shows of a system: "/usr" and what of it is linked or kept beside.
[[nodiscard]] bool is_system_folder(const std::filesystem::path& folder);

}  // namespace kernelgate
