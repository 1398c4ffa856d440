// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/up/up.hpp"

namespace kernelgate::cli::cmd_up {
namespace {

int run(up::Request& request) {
  request.program = std::filesystem::canonical("/proc/self/exe");
  const auto running = up::bring_up(request);
  if (!running) return complain(running.error());
  std::fputs(up::describe(*running).c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<up::Request>();
  auto no_hook = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("up", "Start server, runner and pre-push hook for this repository");
  command->footer(
      "Examples:\n"
      "  kernelgate up\n"
      "  kernelgate up --repo ../kernels --listen 127.0.0.1:8080 --cpus 2,3");
  add_folder_flag(*command, request->repository);
  command->add_option("--listen", request->listen, "ADDR:PORT (default: as before; at first a free port here)");
  command->add_option("--name", request->name, "The repository's name on the server (default: its folder's)");
  command->add_option("--cpus", request->cpus, "Pin suites to these processors, such as 2,3")->delimiter(',');
  command->add_flag("--no-hook", *no_hook, "Install no hook");
  command->add_flag("--no-sandbox", request->no_sandbox, "Commits run with all rights of this user");
  command->callback([request, no_hook, &exit_code] {
    request->hook = !*no_hook;
    exit_code = run(*request);
  });
}

}  // namespace kernelgate::cli::cmd_up
