// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "commands/commands.hpp"
#include "commands/login/login.hpp"

namespace kernelgate::cli::cmd_login {
namespace {

int run(const login::Request& request, bool forget) {
  if (forget) {
    const auto had = login::log_out();
    if (!had) return complain(had.error());
    std::puts(*had ? "forgotten" : "nothing was kept");
    return 0;
  }
  if (request.url.empty()) return complain({Errc::invalid, "which server?", "URL", "give http://HOST:PORT"});
  const auto said = login::log_in(request);
  if (!said) return complain(said.error());
  std::printf("%s\n", said->c_str());
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<login::Request>();
  auto forget = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("login", "Remember a server and a token for the other commands");
  command->footer(
      "Examples:\n"
      "  kernelgate login 'http://127.0.0.1:8080/#token=kg_…'      # the link that 'kernelgate up' prints\n"
      "  kernelgate login https://gate.example.org --token-file ~/gate.token");
  auto* url = command->add_option("URL", request->url, "The server, or a login link");
  auto* file =
      command->add_option("--token-file", request->token_file, "File with the token, mode 0600 (default: asks)");
  command->add_flag("--forget", *forget, "Forget server and token")->excludes(url)->excludes(file);
  command->callback([request, forget, &exit_code] {
    request->in = stdin;
    exit_code = run(*request, *forget);
  });
}

}  // namespace kernelgate::cli::cmd_login
