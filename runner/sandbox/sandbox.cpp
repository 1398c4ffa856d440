// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/sandbox.hpp"

#include <unistd.h>

#include <cstdlib>
#include <map>

#include "platform/files/tree_size.hpp"
#include "platform/process/memory_use.hpp"
#include "runner/sandbox/namespaces.hpp"
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
  for (auto folder = config.toolchain.path.rbegin(); folder != config.toolchain.path.rend(); ++folder)
    values["PATH"] = *folder + ":" + values["PATH"];
  for (const auto& [name, value] : config.toolchain.env) values[name] = value;
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

std::string over_memory(Bytes used, Bytes most) {
  return "out of memory: it used " + readable_size(used) + ", and " + readable_size(most) + " at most";
}

// Where nothing but the sum over /proc says what a program uses.
void watch_memory(ProcessSpec& how, Bytes most) {
  how.watch = [most, next = std::move(how.watch)](pid_t parent) {
    const Bytes used = memory_of_tree(parent);
    if (used > most) return over_memory(used, most);
    return next ? next(parent) : std::string();
  };
}

// The kernel also ends programs when the machine has no memory left, whoever used it up. Who held half of what it may
// have did.
Status read_facts(const ControlGroup& group, Bytes most, ProcessResult& result) {
  const GroupFacts facts = group.facts();
  if (facts.killed == 0 || result.ok()) return {};
  if (facts.limit_hits == 0 && facts.peak.value < most.value / 2)
    return fail(Errc::unavailable, "the machine ran out of memory while a program used " + readable_size(facts.peak));
  if (!result.killed_by_us()) result.over_limit = over_memory(facts.peak.value == 0 ? most : facts.peak, most);
  return {};
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

bool is_tool_missing(const ProcessResult& result) {
  constexpr int kNotFound = 127;
  return !result.killed_by_us() && result.signal == 0 && result.exit_code == kNotFound;
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
  std::string fix = "install bubblewrap";
  if (mode == SandboxMode::root_drop)
    fix += " and util-linux; in a container give root CAP_SYS_ADMIN or run as a plain user";
  else if (const auto obstacle = namespaces_obstacle())
    fix = obstacle->what + ": " + obstacle->fix;
  return {false, mode, "the sandbox does not work here: " + why + " (" + fix + ")"};
}

Result<Sandbox> Sandbox::open(SandboxConfig config) {
  if (config.memory_max.value == 0)
    config.memory_max.value =
        static_cast<std::uint64_t>(limits::kProgramMemoryShare * static_cast<double>(memory_of_machine().value));
  const auto tried = probe(config);
  if (!tried.works) return fail(Errc::unsupported, tried.text, {}, "or run without a sandbox: --no-sandbox");
  auto groups = ControlGroups::open(config.cgroup);
  if (!groups && !config.cgroup.empty()) return pass_on(groups);
  Sandbox out(std::move(config), tried.mode);
  const std::string most = readable_size(out.config_.memory_max) + " a program, ";
  if (groups) {
    out.memory_wall_ = most + "held by control groups in " + groups->folder().string();
    out.groups_ = std::make_shared<const ControlGroups>(std::move(*groups));
  } else {
    out.memory_wall_ = most + "looked at four times a second: " + to_string(groups.error());
  }
  return out;
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
  std::optional<ControlGroup> group;
  if (groups_) {
    auto made = groups_->make({.memory = config_.memory_max});
    if (!made) return pass_on(made);
    group.emplace(std::move(*made));
    how.group = group->entry();
  } else if (config_.memory_max.value > 0) {
    watch_memory(how, config_.memory_max);
  }
  auto result = run_process(how, stop);
  if (!result) return result;
  if (group)
    if (auto read = read_facts(*group, config_.memory_max, *result); !read) return pass_on(read);
  const bool ours = mode_ != SandboxMode::none && !result->killed_by_us() && result->signal == 0 && !result->ok() &&
                    result->status.find("exit-code") == std::string::npos;
  if (ours)
    return fail(Errc::unavailable,
                "the sandbox did not start: " + last_line(how.merge_stderr ? result->out : result->err));
  unfold_signal(*result);
  return result;
}

std::string Sandbox::where_tools_are() const {
  if (mode_ == SandboxMode::none) return {};
  std::string out = "the sandbox shows /usr";
  for (const auto& folder : config_.toolchain.folders) out += ", " + folder.string();
  for (const std::string& line : config_.toolchain.left_out) out += "; not " + line;
  return out +
         "; show it more with --toolchain DIR (of 'kernelgate run' or 'kernelgate runner'), or run without a "
         "sandbox: --no-sandbox";
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
