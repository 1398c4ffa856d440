// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flags of commands that act on what a repository's measurements are compared with: on a server, or in a store.

#include "commands/baseline/baseline.hpp"

namespace CLI {
class App;
}

namespace kernelgate::cli {

void add_baseline_flags(CLI::App& command, local::BaselineTarget& target);

}  // namespace kernelgate::cli
