// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/sandbox.hpp"

#include <unistd.h>

#include <cstdlib>
#include <map>

#include "runner/sandbox/ownership.hpp"
#include "runner/sandbox/system_calls.hpp"

namespace kernelgate {
namespace {

constexpr std::string_view kPath =
    "PATH=/usr/local/cuda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

// The shell and bubblewrap say 128 + N for a program ended by signal N.
void unfold_signal(ProcessResult& result) {
  if (result.signal != 0 || result.exit_code <= 128 || result.exit_code > 128 + 64) return;
  result.signal = result.exit_code - 128;
  result.exit_code = -1;
}

std::string path_without_sandbox(const std::vector<Mount>& mounts, std::string_view inside) {
  for (const auto& mount : mounts) {
    if (inside.substr(0, mount.inside.size()) != mount.inside) continue;
    const auto rest = inside.substr(mount.inside.size());
    if (rest.empty() || rest[0] == '/') return mount.host.string() + std::string(rest);
  }
  return std::string(inside);
}

// The caller's own, so that its compilers, libraries and virtual environment are found; what the job names wins. Git's
// variables are left out: those of a hook would point a build's git at the repository that is pushed to.
std::vector<std::string> plain_environment(const SandboxConfig& config, const SandboxJob& job) {
  std::map<std::string, std::string> values;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals != text.npos && !text.starts_with("GIT_"))
      values.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  values.emplace("PATH", kPath.substr(kPath.find('=') + 1));
  for (const auto& [name, value] : config.env) values[name] = value;
  for (const auto& [name, value] : job.env) values[name] = path_without_sandbox(job.mounts, value);
  std::vector<std::string> env;
  for (const auto& [name, value] : values) env.push_back(name + "=" + value);
  return env;
}

void pass_proxies(SandboxJob& job) {
  for (const char* name : {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"})
    if (const char* value = std::getenv(name)) job.env.emplace_back(name, value);
}

}  // namespace

std::string_view to_string(SandboxMode mode) {
  switch (mode) {
    case SandboxMode::root_drop: return "bubblewrap as a plain user";
    case SandboxMode::user_namespace: return "bubblewrap in a user namespace";
    case SandboxMode::none: return "no sandbox";
  }
  return "no sandbox";
}

SandboxProbe Sandbox::probe(const SandboxConfig& config) {
  if (config.none) return {true, SandboxMode::none, "no sandbox: commits run with all rights of this user"};
  const auto mode = geteuid() == 0 ? SandboxMode::root_drop : SandboxMode::user_namespace;
  const Sandbox sandbox(config, mode);
  ProcessSpec how;
  how.timeout = std::chrono::seconds(30);
  const auto tried = sandbox.run({.argv = {"/bin/sh", "-c", "echo works"}, .cwd = "/tmp"}, how);
  if (tried && tried->ok() && tried->out == "works\n") return {true, mode, std::string(to_string(mode))};
  const auto why = tried ? describe_end(*tried) + ": " + last_line(tried->err) : to_string(tried.error());
  const char* fix =
      mode == SandboxMode::root_drop
          ? "install bubblewrap and util-linux; in a container give root CAP_SYS_ADMIN or run as a plain user"
          : "install bubblewrap and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)";
  return {false, mode, "the sandbox does not work here: " + why + " (" + fix + ")"};
}

Result<Sandbox> Sandbox::open(SandboxConfig config) {
  const auto tried = probe(config);
  if (!tried.works) return fail(Errc::unsupported, tried.text, {}, "or run without a sandbox: --no-sandbox");
  return Sandbox(std::move(config), tried.mode);
}

Result<ProcessResult> Sandbox::run(const SandboxJob& asked, ProcessSpec how, std::stop_token stop) const {
  SandboxJob job = asked;
  if (job.proxies) pass_proxies(job);
  if (!how.limits.processes) how.limits.processes = limits::kSandboxProcessesMax;
  if (!how.limits.file_size) how.limits.file_size = limits::kSandboxFileMax;
  Result<Descriptor> filter;
  how.cwd.clear();
  if (mode_ == SandboxMode::none) {
    how.argv = job.argv;
    how.env = plain_environment(config_, job);
    how.cwd = path_without_sandbox(job.mounts, job.cwd);
  } else {
    filter = system_call_filter();
    if (!filter) return pass_on(filter);
    how.argv = bubblewrap_argv(config_, mode_, job);
    how.env = {std::string(kPath)};
    how.filter = filter->get();
    how.status_pipe = true;
  }
  auto result = run_process(how, stop);
  if (!result) return result;
  const bool ours = mode_ != SandboxMode::none && !result->killed_by_us() && result->signal == 0 && !result->ok() &&
                    result->status.find("exit-code") == std::string::npos;
  if (ours)
    return fail(Errc::unavailable,
                "the sandbox did not start: " + last_line(how.merge_stderr ? result->out : result->err));
  unfold_signal(*result);
  return result;
}

std::string Sandbox::locate(const std::vector<Mount>& mounts, std::string_view inside) const {
  return mode_ == SandboxMode::none ? path_without_sandbox(mounts, inside) : std::string(inside);
}

Status Sandbox::hand_over(const std::filesystem::path& folder) const {
  if (mode_ != SandboxMode::root_drop) return {};
  return give_tree_to(folder, config_.uid, config_.gid);
}

Status Sandbox::seal(const std::filesystem::path& folder) const { return seal_tree(folder); }

}  // namespace kernelgate
