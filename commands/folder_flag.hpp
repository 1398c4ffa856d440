// SPDX-License-Identifier: Apache-2.0
#pragma once

// -C, --repo: the git repository that a command works in. --repository is always a name.

#include <CLI/App.hpp>

namespace kernelgate::cli {

// `folder`: a std::string or a path; it outlives the command and holds the default.
template <class Folder>
CLI::Option* add_folder_flag(CLI::App& command, Folder& folder) {
  return command.add_option("-C,--repo", folder, "Any folder of the git repository")->capture_default_str();
}

}  // namespace kernelgate::cli
