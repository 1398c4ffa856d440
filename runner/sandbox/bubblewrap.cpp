// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/units/limits.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

// Files that compilers, the loader and libc read; none of them holds a secret.
constexpr std::array kEtc = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",  "/etc/alternatives",
                             "/etc/passwd",      "/etc/group",      "/etc/nsswitch.conf", "/etc/localtime",
                             "/etc/os-release",  "/etc/OpenCL"};
// For the fetch stage: names and certificates.
constexpr std::array kEtcNetwork = {"/etc/resolv.conf",     "/etc/hosts",     "/etc/services",
                                    "/etc/protocols",       "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
                                    "/etc/ca-certificates", "/etc/gai.conf"};

constexpr std::string_view kSystemPath =
    "/usr/local/cuda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

class Arguments {
 public:
  // bubblewrap makes missing parents of a mount for its own user alone.
  void bind(const char* how, const fs::path& host, const fs::path& inside) {
    fs::path parent = "/";
    for (const auto& part : inside.parent_path().relative_path()) {
      parent /= part;
      add("--perms", "0755", "--dir", parent.string());
    }
    add(how, host.string(), inside.string());
  }

  template <class... Text>
  Arguments& add(Text&&... text) {
    (argv.emplace_back(std::forward<Text>(text)), ...);
    return *this;
  }
  std::vector<std::string> argv;
};

void add_namespaces(SandboxMode mode, const SandboxJob& job, Arguments& out) {
  out.add("bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try");
  if (!job.network) out.add("--unshare-net");
  if (mode == SandboxMode::user_namespace)
    out.add("--unshare-user", "--disable-userns", "--cap-drop", "ALL");
  else
    out.add("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP");
  out.add("--seccomp", std::to_string(kFilterFd), "--die-with-parent", "--new-session", "--hostname", "kernelgate",
          "--json-status-fd", std::to_string(kStatusFd));
}

void add_system(const SandboxJob& job, Arguments& out) {
  out.add("--ro-bind", "/usr", "/usr");
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code error;
    if (fs::is_symlink(name, error))
      out.add("--symlink", fs::read_symlink(name, error).string(), name);
    else if (fs::is_directory(name, error))
      out.add("--ro-bind", name, name);
  }
  out.add("--perms", "0755", "--dir", "/etc");
  for (const char* name : kEtc) out.add("--ro-bind-try", name, name);
  if (job.network)
    for (const char* name : kEtcNetwork) out.add("--ro-bind-try", name, name);
  // Thread and cache counts: Google Benchmark, OpenMP and hwloc look here.
  out.add("--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu");
  out.add("--ro-bind-try", "/sys/devices/system/node", "/sys/devices/system/node");
}

void add_devices(const SandboxJob& job, Arguments& out) {
  out.add("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size",
          std::to_string(limits::kSandboxSharedMemoryMax.value), "--tmpfs", "/dev/shm");
  if (!job.gpu) return;
  std::vector<std::string> nodes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev", error))
    if (entry.path().filename().string().rfind("nvidia", 0) == 0) nodes.push_back(entry.path().string());
  std::sort(nodes.begin(), nodes.end());
  for (const auto& node : nodes) out.add("--dev-bind", node, node);
  // CUDA finds the GPU's NUMA node and PCI place here.
  for (const char* name : {"/sys/bus/pci", "/sys/devices", "/sys/module/nvidia"}) out.add("--ro-bind-try", name, name);
}

void add_environment(const SandboxConfig& config, const SandboxJob& job, Arguments& out) {
  const auto set = [&out](const std::string& name, const std::string& value) { out.add("--setenv", name, value); };
  out.add("--clearenv");
  set("PATH", std::string(kSystemPath));
  set("HOME", "/tmp/home");
  set("TMPDIR", "/tmp");
  set("LANG", "C.UTF-8");
  set("TERM", "dumb");
  for (const auto& [name, value] : config.env) set(name, value);
  for (const auto& [name, value] : job.env) set(name, value);
}

// The loader obeys some of these variables, so they are set once nothing of ours runs any more.
void add_tools(const Toolchain& tools, Arguments& out) {
  if (tools.path.empty() && tools.env.empty()) return;
  std::string path;
  for (const std::string& folder : tools.path) path += folder + ":";
  out.add("env", "PATH=" + path + std::string(kSystemPath));
  for (const auto& [name, value] : tools.env) out.add(name + "=" + value);
}

}  // namespace

std::vector<std::string> bubblewrap_argv(const SandboxConfig& config, SandboxMode mode, const SandboxJob& job) {
  Arguments out;
  add_namespaces(mode, job, out);
  add_system(job, out);
  add_devices(job, out);
  out.add("--perms", "1777", "--size", std::to_string(limits::kSandboxTmpMax.value), "--tmpfs", "/tmp");
  out.add("--perms", "1777", "--dir", "/tmp/home");
  out.add("--perms", "0755", "--dir", "/work");
  for (const auto& folder : config.toolchain.folders) out.bind("--ro-bind", folder, folder);
  for (const auto& mount : job.mounts) out.bind(mount.writable ? "--bind" : "--ro-bind", mount.host, mount.inside);
  add_environment(config, job, out);
  out.add("--remount-ro", "/", "--chdir", job.cwd, "--");
  if (mode == SandboxMode::root_drop)
    out.add("setpriv", "--reuid", std::to_string(config.uid), "--regid", std::to_string(config.gid), "--clear-groups",
            "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--");
  add_tools(config.toolchain, out);
  out.argv.insert(out.argv.end(), job.argv.begin(), job.argv.end());
  return out.argv;
}

}  // namespace kernelgate
