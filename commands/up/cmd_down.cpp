// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/up/up.hpp"

namespace kernelgate::cli::cmd_down {

void add(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::filesystem::path>(".");
  CLI::App* command = app.add_subcommand("down", "End the server and runner of 'kernelgate up', and remove its hook");
  command->footer(
      "Examples:\n"
      "  kernelgate down\n"
      "  kernelgate down --repo ../kernels");
  add_folder_flag(*command, *folder);
  command->callback([folder, &exit_code] {
    const auto said = up::take_down(*folder);
    if (!said) {
      exit_code = complain(said.error());
      return;
    }
    for (const std::string& line : *said) std::printf("%s\n", line.c_str());
  });
}

}  // namespace kernelgate::cli::cmd_down
