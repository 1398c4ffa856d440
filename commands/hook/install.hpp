// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts our hooks into a repository and takes them out again. A hook that was there before is kept beside ours under
// the suffix kPreviousSuffix and runs first, with the same arguments and input.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "commands/hook/settings.hpp"
#include "core/units/result.hpp"

namespace kernelgate::hook {

inline constexpr std::string_view kHookNames[] = {"post-commit", "pre-push", "post-receive"};
inline constexpr std::string_view kPreviousSuffix = ".before-kernelgate";

struct InstallRequest {
  std::filesystem::path repository;  // a folder of a work tree, or a bare repository
  std::filesystem::path program;     // our own executable, which the hooks start
  Settings settings;                 // an empty default_branch is found out
  std::vector<std::string> hooks;    // empty: post-receive in a bare repository, else pre-push
  bool fail_closed = false;          // pre-push refuses what it got no verdict for
};

// One line for people about each thing done.
[[nodiscard]] Result<std::vector<std::string>> install(InstallRequest request);
[[nodiscard]] Result<std::vector<std::string>> uninstall(const std::filesystem::path& repository);

// The branch of origin's HEAD, else main or master, else the one we are on.
[[nodiscard]] std::string guessed_default_branch(const Git& git, bool bare);

// Where git looks for this repository's hooks. Errc::conflict when that folder is shared with other repositories.
[[nodiscard]] Result<std::filesystem::path> hooks_folder(const Git& git);
[[nodiscard]] bool is_ours(const std::filesystem::path& hook);
[[nodiscard]] bool is_fail_closed(const std::filesystem::path& hook);
// The script of a hook. Any path may hold spaces and quotes.
[[nodiscard]] std::string hook_script(std::string_view hook, const std::filesystem::path& program,
                                      bool fail_closed = false);

}  // namespace kernelgate::hook
