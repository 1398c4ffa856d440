// SPDX-License-Identifier: Apache-2.0
#pragma once

// The subcommands. commands/CMakeLists.txt lists them; each lives in commands/<family>/cmd_<name>.cpp as
//     void cmd_<name>::add(CLI::App& app, int& exit_code);
// which declares its flags on `app` and, when its subcommand was chosen, calls one function of the libraries below and
// stores the exit code: 0 passed, 1 failed, 2 bad input, 3 undecided, 4 infrastructure. It may throw: run() catches.

#include <span>

#include "core/units/result.hpp"

namespace CLI {
class App;
}

namespace kernelgate::cli {

using AddCommand = void (*)(CLI::App& app, int& exit_code);

// Every subcommand, in the order of commands/CMakeLists.txt.
[[nodiscard]] std::span<const AddCommand> commands();

// Says on stderr what went wrong; the exit code that fits: 2 where the caller can fix it, else 4.
[[nodiscard]] int complain(const Error& error);

// The whole program: parses, runs the chosen subcommand, returns the exit code.
[[nodiscard]] int run(int argc, const char* const* argv);

}  // namespace kernelgate::cli
