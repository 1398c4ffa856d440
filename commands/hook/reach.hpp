// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a hook with these settings could ask its server: looked at when it is installed, since the hook itself lets
// pushes through where it cannot.

#include <string>

#include "commands/hook/settings.hpp"
#include "core/units/result.hpp"

namespace kernelgate::hook {

// What to say where the server does not answer now; empty: all is well. An error is the caller's to fix: a token file
// that is none, a token that the server refuses or that may not trigger, a repository that it does not know.
[[nodiscard]] Result<std::string> check_reach(const Settings& settings);

}  // namespace kernelgate::hook
