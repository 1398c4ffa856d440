// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline_flags.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "commands/folder_flag.hpp"
#include "commands/version.hpp"

namespace kernelgate::cli {

void add_baseline_flags(CLI::App& command, local::BaselineTarget& target) {
  target.program = version_line();
  command.add_option("--server", target.server, "http://HOST:PORT; without one: the local store");
  command.add_option("--token-file", target.token_file, "File with a token");
  command.add_option("--repository", target.repository, "The repository's name on the server, or in the store of --db");
  add_folder_flag(command, target.folder);
  command.add_option("--db", target.database, "A store (default: the one in the git folder)");
}

}  // namespace kernelgate::cli
