// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a repository's hooks need to know, kept in its git config under `kernelgate.*`. Work trees of one repository
// share it.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "core/units/result.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::hook {

struct Settings {
  std::string server;                // http://HOST:PORT
  std::filesystem::path token_file;  // absolute
  std::string repository;            // the name it is registered under
  std::string default_branch;
  std::string stage;  // remote that commits are pushed to before a trigger; empty: none
  bool wait = true;   // pre-push waits for the conclusion
  std::chrono::seconds wait_most{1800};
};

[[nodiscard]] Status write_settings(const Git& git, const Settings& settings);
// Nothing where no hook was installed.
[[nodiscard]] Result<std::optional<Settings>> read_settings(const Git& git);
[[nodiscard]] Status remove_settings(const Git& git);

// The folder that all work trees of the repository share: hooks, queue.
[[nodiscard]] Result<std::filesystem::path> common_folder(const Git& git);
[[nodiscard]] Result<bool> is_bare(const Git& git);
// The branch that HEAD is on; nothing where it is detached.
[[nodiscard]] std::optional<std::string> current_branch(const Git& git);

}  // namespace kernelgate::hook
