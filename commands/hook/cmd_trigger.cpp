// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/hook/trigger.hpp"
#include "commands/target_flags.hpp"

namespace kernelgate::cli::cmd_trigger {

void add(CLI::App& app, int& exit_code) {
  CLI::App& command = *app.add_subcommand("trigger", "Ask a server for a run of one commit");
  auto request = std::make_shared<hook::TriggerRequest>();
  auto format = std::make_shared<std::string>("table");
  auto wait_s = std::make_shared<int>(3600);
  add_server_flags(command, request->server, request->token_file, "trigger");
  command.add_option("--repository", request->repository, "name it is registered under")->required();
  add_folder_flag(command, request->folder);
  command.add_option("--commit", request->commit, "commit, branch or tag to measure")->capture_default_str();
  command.add_option("--base", request->base,
                     "commit to compare it with (default: merge base with the default branch)");
  command.add_option("--branch", request->branch, "branch to show (default: the one checked out)");
  command.add_flag("--force", request->force, "measure even if this was judged before");
  command.add_flag("--wait", request->wait, "wait for the conclusion; it becomes the exit code");
  command.add_option("--wait-seconds", *wait_s, "longest wait")->check(CLI::Range(1, 86400))->capture_default_str();
  command.add_option("--format", *format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command.callback([=, &exit_code] {
    request->json = *format == "json";
    request->wait_most = std::chrono::seconds{*wait_s};
    const Result<int> code = hook::trigger(*request, stdout, stderr);
    exit_code = code ? *code : complain(code.error());
  });
}

}  // namespace kernelgate::cli::cmd_trigger
