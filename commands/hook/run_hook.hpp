// SPDX-License-Identifier: Apache-2.0
#pragma once

// What our hook scripts call. Whatever goes wrong on our side is said on `out` and lets the commit or push through:
// only a head that the server judged as failed blocks, and only a pre-push hook that waits. One installed with
// --fail-closed refuses a push that it got no verdict for.

#include <cstdio>
#include <filesystem>
#include <string>

#include "commands/hook/queue.hpp"
#include "core/units/result.hpp"

namespace kernelgate::hook {

struct HookCall {
  std::string name;                  // post-commit, pre-push, post-receive
  std::string remote;                // pre-push: the first argument git gives
  std::string input;                 // what git wrote to the hook's stdin
  std::filesystem::path repository;  // git's folder, or the work tree's
  bool fail_closed = false;          // pre-push only
};

// The exit code: 1 blocks the push, 0 lets through.
[[nodiscard]] int run_hook(const HookCall& call, std::FILE* out);

// `kernelgate hook flush`: sends what waits. Errc::unavailable when something is still waiting.
[[nodiscard]] Status flush_queue(const std::filesystem::path& repository, bool refused_too, std::FILE* out);

// `kernelgate hook status`: settings, hooks, queue.
[[nodiscard]] Status print_status(const std::filesystem::path& repository, std::FILE* out);

}  // namespace kernelgate::hook
