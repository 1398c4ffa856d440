// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/install.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace kernelgate::hook {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFailClosed = " --fail-closed";
constexpr std::string_view kMark = "# Installed by 'kernelgate hook install'";

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool reads_input(std::string_view hook) { return hook == "pre-push" || hook == "post-receive"; }

fs::path previous_of(const fs::path& hook) { return hook.string() + std::string(kPreviousSuffix); }

Status write_script(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".kernelgate-new";
  std::error_code error;
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) return fail(Errc::io, "cannot write the hook", temporary.string());
  }
  fs::permissions(temporary,
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                      fs::perms::others_exec,
                  error);
  if (!error) fs::rename(temporary, path, error);
  if (error) return fail(Errc::io, "cannot install the hook: " + error.message(), path.string());
  return {};
}

Result<std::string> install_one(const fs::path& folder, const std::string& name, const InstallRequest& request) {
  const fs::path hook = folder / name;
  std::string said = "installed " + hook.string();
  std::error_code error;
  if (fs::exists(fs::symlink_status(hook)) && !is_ours(hook)) {
    if (fs::exists(fs::symlink_status(previous_of(hook))))
      return fail(Errc::conflict, "there is a hook, and an older one kept beside it", hook.string(),
                  "join the two, or remove '" + previous_of(hook).string() + "'");
    fs::rename(hook, previous_of(hook), error);
    if (error) return fail(Errc::io, "cannot keep the hook that is there: " + error.message(), hook.string());
    said += "; the hook that was there runs first";
  }
  if (const Status written = write_script(hook, hook_script(name, request.program, request.fail_closed)); !written)
    return pass_on(written);
  return said;
}

// The last line of `git config --show-scope --get-all core.hooksPath` that is not our own command line's.
std::pair<std::string, std::string> last_setting(std::string_view listing) {
  std::pair<std::string, std::string> out;
  while (!listing.empty()) {
    const std::string_view line = listing.substr(0, listing.find('\n'));
    const std::size_t tab = line.find('\t');
    if (tab != line.npos && line.substr(0, tab) != "command")
      out = {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))};
    listing.remove_prefix(std::min(line.size() + 1, listing.size()));
  }
  return out;
}

Status check_names(const std::vector<std::string>& names, bool bare) {
  for (const std::string& name : names) {
    if (std::find(std::begin(kHookNames), std::end(kHookNames), name) == std::end(kHookNames))
      return fail(Errc::invalid, "no hook of ours: '" + name + "'", {}, "give post-commit, pre-push or post-receive");
    if (bare != (name == "post-receive"))
      return fail(Errc::invalid, "git never runs " + name + (bare ? " in a bare repository" : " in a work tree"), {},
                  bare ? "give post-receive" : "give post-commit or pre-push");
  }
  return {};
}

}  // namespace

std::string hook_script(std::string_view hook, const fs::path& program, bool fail_closed) {
  const std::string name(hook);
  const bool refuses = fail_closed && hook == "pre-push";
  const std::string quoted = shell_quoted(program.string());
  std::string out = "#!/bin/sh\n" + std::string(kMark) +
                    ";\n"
                    "# 'kernelgate hook uninstall' removes it. The hook that was here before runs first.\n";
  // Both programs need all of the input, so it is read once.
  const std::string feed = reads_input(hook) ? "feed | " : "";
  if (reads_input(hook)) out += "input=$(cat)\nfeed() { [ -z \"$input\" ] || printf '%s\\n' \"$input\"; }\n";
  out += "previous=$0" + std::string(kPreviousSuffix) +
         "\n"
         "if [ -x \"$previous\" ]; then\n  " +
         feed + "\"$previous\" \"$@\"" + (hook == "pre-push" ? " || exit $?" : "") +
         "\nfi\n"
         "if [ ! -x " +
         quoted +
         " ]; then\n"
         "  echo " +
         shell_quoted("kernelgate: " + program.string() + " is gone; this commit is not measured") + " >&2\n  exit " +
         (refuses ? "1" : "0") + "\nfi\n" + feed + quoted + " hook run " + name +
         (refuses ? std::string(kFailClosed) : "") + " -- \"$@\"\n";
  return out;
}

std::string guessed_default_branch(const Git& git, bool bare) {
  if (bare) return current_branch(git).value_or("main");
  const auto remote = git.call({.args = {"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"}});
  if (remote) {
    const std::string name = remote->substr(0, remote->find('\n'));
    return name.substr(name.find('/') + 1);
  }
  for (const char* name : {"main", "master"})
    if (git.resolve(std::string("refs/heads/") + name)) return name;
  return current_branch(git).value_or("main");
}

bool is_ours(const fs::path& hook) {
  std::ifstream file(hook, std::ios::binary);
  std::string first, second;
  std::getline(file, first);
  std::getline(file, second);
  return second.rfind(kMark, 0) == 0;
}

bool is_fail_closed(const fs::path& hook) {
  std::ifstream file(hook, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find(" hook run pre-push" + std::string(kFailClosed)) != std::string::npos;
}

Result<fs::path> hooks_folder(const Git& git) {
  const auto common = common_folder(git);
  if (!common) return pass_on(common);
  const auto listing = git.call({.args = {"config", "--show-scope", "--get-all", "core.hooksPath"}});
  const auto [scope, path] = last_setting(listing ? *listing : std::string());
  if (path.empty()) return *common / "hooks";
  if (scope != "local" && scope != "worktree")
    return fail(Errc::conflict, "core.hooksPath is set for all repositories: " + path, {},
                "set it for this one: git config core.hooksPath .git/hooks");
  if (fs::path(path).is_absolute()) return fs::path(path);
  const auto top = git.work_tree();
  return (top ? *top : *common) / path;
}

Result<std::vector<std::string>> install(InstallRequest request) {
  const auto git = Git::open(request.repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto bare = is_bare(*git);
  if (!bare) return pass_on(bare);
  if (request.hooks.empty()) request.hooks = {*bare ? "post-receive" : "pre-push"};
  if (const Status good = check_names(request.hooks, *bare); !good) return pass_on(good);
  const auto folder = hooks_folder(*git);
  if (!folder) return pass_on(folder);
  if (request.settings.default_branch.empty()) request.settings.default_branch = guessed_default_branch(*git, *bare);
  std::error_code error;
  fs::create_directories(*folder, error);
  if (error) return fail(Errc::io, "cannot make the hooks' folder: " + error.message(), folder->string());
  if (const Status written = write_settings(*git, request.settings); !written) return pass_on(written);
  std::vector<std::string> said;
  for (const std::string& name : request.hooks) {
    auto done = install_one(*folder, name, request);
    if (!done) return pass_on(done);
    said.push_back(std::move(*done));
  }
  said.push_back("pushes of '" + request.settings.default_branch +
                 "' are compared with the tip before the push, other "
                 "branches against their merge base with it");
  const bool needs_stage = std::find(request.hooks.begin(), request.hooks.end(), "post-receive") == request.hooks.end();
  if (needs_stage && request.settings.stage.empty())
    said.push_back(
        "the runner must be able to fetch commits from this repository; --stage REMOTE pushes them to "
        "refs/kernelgate/ of a remote first");
  return said;
}

Result<std::vector<std::string>> uninstall(const fs::path& repository) {
  const auto git = Git::open(repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto folder = hooks_folder(*git);
  if (!folder) return pass_on(folder);
  std::vector<std::string> said;
  std::error_code error;
  for (const std::string_view name : kHookNames) {
    const fs::path hook = *folder / name;
    if (!is_ours(hook)) continue;
    fs::remove(hook, error);
    if (!error && fs::exists(fs::symlink_status(previous_of(hook)))) fs::rename(previous_of(hook), hook, error);
    if (error) return fail(Errc::io, "cannot remove the hook: " + error.message(), hook.string());
    said.push_back("removed " + hook.string());
  }
  if (const Status removed = remove_settings(*git); !removed) return pass_on(removed);
  if (said.empty()) said.push_back("no hook of ours is installed in " + folder->string());
  return said;
}

}  // namespace kernelgate::hook
