// SPDX-License-Identifier: Apache-2.0
#pragma once

// The folder that `kernelgate up` keeps for a repository: <git folder>/kernelgate/up, mode 0700. Private to
// commands/up.

#include <filesystem>
#include <string>

#include "commands/up/background.hpp"
#include "core/units/result.hpp"
#include "core/units/role.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::up {

struct State {
  std::filesystem::path folder, data, work;
  Background server, runner;

  // Makes the folder where it is not there, and closes it to others where it is.
  [[nodiscard]] static Result<State> open(const Git& git);
  // Where the server listened last; empty: never.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] Status keep_address(const std::string& address) const;
  // The file of a role's token; made where it, or the store that knows it, is not there.
  [[nodiscard]] Result<std::filesystem::path> token(Role role) const;
};

}  // namespace kernelgate::up
