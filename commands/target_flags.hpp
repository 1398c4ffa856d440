// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flags of commands that look up finished runs: on a server, or in a store on this machine.

#include <string>

#include "commands/browse/target.hpp"

namespace CLI {
class App;
}

namespace kernelgate::cli {

void add_target_flags(CLI::App& command, browse::Target& target);

// Of a server alone, asked with a token of that role.
void add_server_flags(CLI::App& command, browse::Target& target, const std::string& role);

}  // namespace kernelgate::cli
