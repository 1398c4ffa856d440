// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "commands/doctor/doctor.hpp"
#include "commands/folder_flag.hpp"
#include "commands/init/init.hpp"

namespace kernelgate::cli::cmd_init {
namespace {

int run(const std::string& folder) {
  const auto outcome = init::write_manifest(folder);
  if (!outcome) return complain(outcome.error());
  std::printf("%s\n", init::describe(*outcome).c_str());
  doctor::Request request;
  request.repo = folder;
  const auto diagnosis = doctor::examine(request);
  if (!diagnosis) return complain(diagnosis.error());
  std::fputs(doctor::to_table(*diagnosis, report::style_of(stdout)).c_str(), stdout);
  const int code = doctor::exit_code(*diagnosis);
  if (outcome->found.suites.empty())
    std::fputs("\nNext: fill in what is marked EDIT, then 'kernelgate doctor'.\n", stdout);
  else if (code == 0)
    std::fputs(
        "\nNext: commit the manifest, then 'kernelgate run' judges a commit against its parent, and\n"
        "'kernelgate up' puts a gate before each push.\n",
        stdout);
  return code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>(".");
  CLI::App* command = app.add_subcommand("init", "Write a kernelgate.toml by looking at the repository");
  command->footer(
      "Examples:\n"
      "  kernelgate init\n"
      "  kernelgate init --repo ../kernels && $EDITOR ../kernels/kernelgate.toml");
  add_folder_flag(*command, *folder);
  command->callback([folder, &exit_code] { exit_code = run(*folder); });
}

}  // namespace kernelgate::cli::cmd_init
