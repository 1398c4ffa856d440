// SPDX-License-Identifier: Apache-2.0
#pragma once

// A server and a runner for one repository on this machine, with tokens, store and pre-push hook, in one call, and
// their end in another. All of it lies in kernelgate/up of the git folder, which nobody else may enter.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::up {

struct Request {
  std::filesystem::path program;  // our own executable
  std::filesystem::path repository = ".";
  std::string listen{};     // ADDR:PORT; empty: as before, at first a free port of 127.0.0.1
  std::string name{};       // of the repository on the server; empty: its folder's
  bool hook = true;         // install it
  bool no_sandbox = false;  // of the runner
  std::vector<int> cpus{};
};

struct Part {
  std::string name;
  pid_t pid = 0;
  bool started = false;  // false: it ran already
  std::filesystem::path log;
};

struct Running {
  std::string url, login_url, repository;
  std::filesystem::path admin_token;
  std::vector<Part> parts;
  std::vector<std::string> notes;  // one line each
};

// What already runs is left as it is. not_found: no repository, no manifest; conflict: the port is taken; unsupported:
// the sandbox does not work here; unavailable: one of the two ended at once, with its last words.
[[nodiscard]] Result<Running> bring_up(const Request& request);

// One line for each thing done. The hook goes where it is the one of `up`.
[[nodiscard]] Result<std::vector<std::string>> take_down(const std::filesystem::path& repository);

[[nodiscard]] std::string describe(const Running& running);

}  // namespace kernelgate::up
