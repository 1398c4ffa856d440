// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flags of commands that look up finished runs: on a server, or in a store on this machine.

#include <filesystem>
#include <string>

#include "commands/browse/target.hpp"

namespace CLI {
class App;
}

namespace kernelgate::cli {

void add_target_flags(CLI::App& command, browse::Target& target);

// Of a server alone, asked with a token of that role: --server and --token-file, else the environment, else what
// `kernelgate login` kept. The variables outlive the command.
void add_server_flags(CLI::App& command, std::string& server, std::string& token_file, const std::string& role);
void add_server_flags(CLI::App& command, std::string& server, std::filesystem::path& token_file,
                      const std::string& role);
void add_server_flags(CLI::App& command, browse::Target& target, const std::string& role);

}  // namespace kernelgate::cli
