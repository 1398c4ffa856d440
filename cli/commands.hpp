// SPDX-License-Identifier: Apache-2.0
#pragma once

// The subcommands. Each add_ function declares its flags on `app` and, when its subcommand was chosen, calls one
// function of the libraries below and stores the exit code: 0 passed, 1 failed, 2 bad input, 3 undecided, 4 infrastructure.

namespace CLI {
class App;
}

namespace kernelgate::cli {

using AddCommand = void (*)(CLI::App& app, int& exit_code);

}  // namespace kernelgate::cli
