// SPDX-License-Identifier: Apache-2.0
#include "commands/target_flags.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "commands/folder_flag.hpp"
#include "commands/login/config.hpp"

namespace kernelgate::cli {
namespace {

// As CLI11 reports a wrong flag: exit code 2, and the hint at --help.
void refuse(const Status& status) {
  if (!status) throw CLI::ValidationError(to_string(status.error()), CLI::ExitCodes::ValidationError);
}

template <class File>
void add_both(CLI::App& command, std::string& server, File& token_file, const std::string& role) {
  command.add_option("--server", server, "http://HOST:PORT (default: that of 'kernelgate login')")
      ->envname("KERNELGATE_SERVER");
  command.add_option("--token-file", token_file, "File with a token of role " + role + ", mode 0600")
      ->envname("KERNELGATE_TOKEN_FILE");
  command.parse_complete_callback([&server, &token_file] { refuse(login::complete(server, token_file)); });
}

// A server that was named takes its token from the configuration; without one, a repository without a store of its own
// is looked up on the server of the configuration.
void complete_target(browse::Target& target) {
  const bool named = !target.server.empty();
  if (!target.database.empty() || (!named && browse::has_store(target))) return;
  const auto config = login::read_config();
  if (!config) return refuse(pass_on(config));
  if (*config && (!named || target.token_file.empty())) {
    const Status done = login::complete(target.server, target.token_file);
    if (!named) refuse(done);  // a server that was named may be open to all
  }
}

}  // namespace

void add_target_flags(CLI::App& command, browse::Target& target) {
  CLI::Option* server =
      command
          .add_option("--server", target.server, "URL of a server (default: a store, else that of 'kernelgate login')")
          ->envname("KERNELGATE_SERVER");
  command.add_option("--token-file", target.token_file, "File with a token of role read, mode 0600")
      ->envname("KERNELGATE_TOKEN_FILE");
  command.add_option("--db", target.database, "A store (default: that of 'kernelgate run' in --repo)")
      ->excludes(server);
  add_folder_flag(command, target.repo);
  command.add_option("--repository", target.repository, "Name it is registered under; a store may have just one");
  command.parse_complete_callback([&target] { complete_target(target); });
}

void add_server_flags(CLI::App& command, std::string& server, std::string& token_file, const std::string& role) {
  add_both(command, server, token_file, role);
}

void add_server_flags(CLI::App& command, std::string& server, std::filesystem::path& token_file,
                      const std::string& role) {
  add_both(command, server, token_file, role);
}

void add_server_flags(CLI::App& command, browse::Target& target, const std::string& role) {
  add_both(command, target.server, target.token_file, role);
}

}  // namespace kernelgate::cli
