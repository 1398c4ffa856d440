// SPDX-License-Identifier: Apache-2.0
#include "platform/git/run_git.hpp"

#include <algorithm>
#include <cstdlib>

#include "platform/files/tree_size.hpp"
#include "platform/process/process.hpp"

namespace kernelgate::git_detail {
namespace {

// What git, ssh and curl need of ours; GIT_* variables (a hook's GIT_DIR among them) are left behind.
constexpr const char* kPassed[] = {"PATH",          "HOME",          "USER",         "LOGNAME",  "XDG_CONFIG_HOME",
                                   "SSH_AUTH_SOCK", "http_proxy",    "https_proxy",  "no_proxy", "HTTPS_PROXY",
                                   "NO_PROXY",      "SSL_CERT_FILE", "SSL_CERT_DIR", "TMPDIR"};

std::vector<std::string> environment(const GitCall& call, GitConfig config) {
  std::vector<std::pair<std::string, std::string>> wanted = call.env;
  const auto set = [&wanted](const std::string& name, const std::string& value) {
    const auto same = [&name](const auto& entry) { return entry.first == name; };
    if (std::none_of(wanted.begin(), wanted.end(), same)) wanted.emplace_back(name, value);
  };
  set("GIT_TERMINAL_PROMPT", "0");
  set("GIT_ASKPASS", "true");
  set("SSH_ASKPASS", "true");
  set("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
  set("GIT_ALLOW_PROTOCOL", "file:https:ssh");
  set("GIT_NO_REPLACE_OBJECTS", "1");
  set("GIT_LITERAL_PATHSPECS", "1");
  set("GIT_OPTIONAL_LOCKS", "0");
  set("LC_ALL", "C.UTF-8");
  if (config == GitConfig::isolated) {
    set("GIT_CONFIG_NOSYSTEM", "1");
    set("GIT_CONFIG_GLOBAL", "/dev/null");
    set("GIT_ATTR_NOSYSTEM", "1");
  }
  for (const char* name : kPassed)
    if (const char* value = std::getenv(name)) set(name, value);
  std::vector<std::string> out;
  for (const auto& [name, value] : wanted) out.push_back(name + "=" + value);
  return out;
}

std::string last_words(const std::string& text) {
  constexpr std::size_t kKept = 600;
  auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "";
  auto out = text.substr(0, end + 1);
  if (out.size() > kKept) out.erase(0, out.size() - kKept);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

// "git fetch", whatever options stand before the subcommand.
std::string name_of(const GitCall& call) {
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i] == "-C" || call.args[i] == "-c")
      ++i;
    else if (call.args[i].rfind('-', 0) != 0)
      return "git " + call.args[i];
  }
  return "git";
}

}  // namespace

Result<std::string> run_git(const std::vector<std::string>& global, const GitCall& call, GitConfig config) {
  ProcessSpec spec;
  spec.argv = {"git",       "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",     "-c",
               "gc.auto=0", "-c", "maintenance.auto=false",   "-c", "advice.detachedHead=false"};
  if (config == GitConfig::isolated) spec.argv.insert(spec.argv.end(), {"-c", "safe.directory=*"});
  spec.argv.insert(spec.argv.end(), global.begin(), global.end());
  spec.argv.insert(spec.argv.end(), call.args.begin(), call.args.end());
  spec.env = environment(call, config);
  spec.cwd = "/";
  spec.stdin_text = call.stdin_text;
  spec.output_max = call.output_max;
  spec.kill_when_over = true;
  spec.timeout = call.timeout;
  TreeQuota quota({call.grows}, call.grows_max);
  if (!call.grows.empty()) spec.watch = [&quota](pid_t) { return quota.look(); };
  auto result = run_process(spec, call.stop);
  if (!result) return pass_on(result);
  if (result->ok()) return std::move(result->out);
  const auto command = name_of(call);
  if (result->cancelled) return fail(Errc::unavailable, command + ": stopped");
  if (!result->over_limit.empty()) return fail(Errc::too_large, command + ": " + describe_end(*result));
  if (result->timed_out) return fail(Errc::timed_out, command + ": " + describe_end(*result));
  if (result->too_large) return fail(Errc::too_large, command + ": its output is over the limit");
  const auto words = last_words(result->err);
  return fail(Errc::io, command + ": " + (words.empty() ? describe_end(*result) : words));
}

}  // namespace kernelgate::git_detail
