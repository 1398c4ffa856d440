// SPDX-License-Identifier: Apache-2.0
#include "commands/target_flags.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace kernelgate::cli {

void add_target_flags(CLI::App& command, browse::Target& target) {
  CLI::Option* server =
      command.add_option("--server", target.server, "URL of a server (default: a store)")->envname("KERNELGATE_SERVER");
  command.add_option("--token-file", target.token_file, "File with a token of role read, mode 0600")
      ->envname("KERNELGATE_TOKEN_FILE");
  command.add_option("--database", target.database, "A store (default: that of 'kernelgate run' in --repo)")
      ->excludes(server);
  command.add_option("--repo", target.repo, "Folder of the git repository")->capture_default_str();
  command.add_option("--repository", target.repository, "Name it is registered under; a store may have just one");
}

void add_server_flags(CLI::App& command, browse::Target& target, const std::string& role) {
  command.add_option("--server", target.server, "http://HOST:PORT")->required()->envname("KERNELGATE_SERVER");
  command.add_option("--token-file", target.token_file, "File with a token of role " + role + ", mode 0600")
      ->required()
      ->envname("KERNELGATE_TOKEN_FILE");
}

}  // namespace kernelgate::cli
