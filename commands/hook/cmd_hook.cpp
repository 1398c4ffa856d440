// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>

#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/hook/install.hpp"
#include "commands/hook/reach.hpp"
#include "commands/hook/run_hook.hpp"
#include "commands/target_flags.hpp"

namespace kernelgate::cli::cmd_hook {
namespace {

namespace fs = std::filesystem;

// git names the repository to a hook by GIT_DIR, or by the folder it starts it in.
fs::path repository_of_hook() {
  const char* folder = std::getenv("GIT_DIR");
  return folder && *folder ? folder : ".";
}

int print_lines(const Result<std::vector<std::string>>& lines) {
  if (!lines) return complain(lines.error());
  for (const std::string& line : *lines) std::cout << line << '\n';
  return 0;
}

int finish(const Status& status) { return status ? 0 : complain(status.error()); }

void add_install(CLI::App& hook, int& exit_code) {
  CLI::App& command = *hook.add_subcommand("install", "Put hooks into a repository; its own hooks keep running");
  auto request = std::make_shared<hook::InstallRequest>();
  auto wait_s = std::make_shared<int>(static_cast<int>(request->settings.wait_most.count()));
  auto no_wait = std::make_shared<bool>(false);
  request->repository = ".";
  hook::Settings& settings = request->settings;
  add_folder_flag(command, request->repository);
  add_server_flags(command, settings.server, settings.token_file, "trigger");
  command.add_option("--repository", settings.repository, "name it is registered under")->required();
  command.add_option("--default-branch", settings.default_branch, "default: found in the repository");
  command.add_option("--stage", settings.stage, "remote that commits are pushed to first, under refs/kernelgate/");
  auto* no_waiting = command.add_flag("--no-wait", *no_wait, "pre-push only queues");
  command
      .add_flag("--fail-closed", request->fail_closed,
                "pre-push refuses a push that it got no verdict for: server away, not judged in time, infrastructure")
      ->excludes(no_waiting);
  command.add_option("--wait-seconds", *wait_s, "longest wait of pre-push")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command.add_option("hooks", request->hooks, "post-commit, pre-push, post-receive (default: what suits)");
  command.callback([=, &exit_code] {
    request->settings.wait = !*no_wait;
    request->settings.wait_most = std::chrono::seconds{*wait_s};
    request->settings.token_file = fs::absolute(request->settings.token_file);
    request->program = fs::read_symlink("/proc/self/exe");
    const auto away = hook::check_reach(request->settings);
    exit_code = away ? print_lines(hook::install(*request)) : complain(away.error());
    if (away && !away->empty()) std::cout << *away << '\n';
  });
}

void add_run(CLI::App& hook, int& exit_code) {
  CLI::App& command = *hook.add_subcommand("run", "What the installed scripts call");
  auto name = std::make_shared<std::string>();
  auto arguments = std::make_shared<std::vector<std::string>>();
  auto fail_closed = std::make_shared<bool>(false);
  command.add_flag("--fail-closed", *fail_closed, "refuse a push without a verdict");
  command.add_option("name", *name, "post-commit, pre-push or post-receive")->required();
  command.add_option("arguments", *arguments, "what git gave the hook");
  command.callback([=, &exit_code] {
    hook::HookCall call{*name, arguments->empty() ? "" : arguments->front(), "", repository_of_hook(), *fail_closed};
    if (*name != "post-commit") call.input.assign(std::istreambuf_iterator<char>(std::cin), {});
    try {
      exit_code = hook::run_hook(call, stderr);
    } catch (const std::exception& error) {
      // Our own mistake must not keep anybody from pushing, unless they asked for it.
      exit_code = *fail_closed ? 1 : 0;
      std::cerr << "kernelgate: " << (*fail_closed ? "refused" : "let through") << ": internal error: " << error.what()
                << '\n';
    }
  });
}

void add_others(CLI::App& hook, int& exit_code) {
  const auto add = [&](const char* name, const char* about, auto action) {
    CLI::App& command = *hook.add_subcommand(name, about);
    auto repository = std::make_shared<fs::path>(".");
    add_folder_flag(command, *repository);
    command.callback([=, &exit_code] { exit_code = action(*repository); });
    return &command;
  };
  add("uninstall", "Take the hooks out again", [](const fs::path& repo) { return print_lines(hook::uninstall(repo)); });
  add("status", "Show settings, hooks and queue",
      [](const fs::path& repo) { return finish(hook::print_status(repo, stdout)); });
  auto refused = std::make_shared<bool>(false);
  CLI::App* flush = add("flush", "Send the triggers that wait for the server",
                        [=](const fs::path& repo) { return finish(hook::flush_queue(repo, *refused, stdout)); });
  flush->add_flag("--refused", *refused, "also those that the server refused before");
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  CLI::App& hook = *app.add_subcommand("hook", "Trigger runs from git hooks");
  hook.require_subcommand(1);
  add_install(hook, exit_code);
  add_run(hook, exit_code);
  add_others(hook, exit_code);
}

}  // namespace kernelgate::cli::cmd_hook
