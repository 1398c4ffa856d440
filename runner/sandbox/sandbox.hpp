// SPDX-License-Identifier: Apache-2.0
#pragma once

// Foreign code (a commit's build, checks and suites) runs through here: under bubblewrap, as a plain user of its own,
// with /usr, /lib, named /etc files and the folders of a toolchain, no network, a private /tmp, no secrets in the
// environment, only the named folders writable, limits on memory, processes, files and memory file systems, and a
// filter of system calls. A control group counts the memory of a program and its descendants; where none can be made,
// they are looked at four times a second (RLIMIT_AS is no way: CUDA reserves more addresses than any machine has
// memory). `none` exists only where a person asked for it; reports say so. Thread-safe. A sandboxed process is found by
// its mounts: base and head both see /work/source and /work/build.

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units/result.hpp"
#include "platform/process/control_group.hpp"
#include "platform/process/process.hpp"
#include "runner/sandbox/toolchain.hpp"

namespace kernelgate {

enum class SandboxMode {
  root_drop,       // we are root: bubblewrap sets up the namespaces, the program runs as a plain user
  user_namespace,  // we are a plain user: the program keeps our uid, in a user namespace
  none,            // asked for: no walls at all
};
[[nodiscard]] std::string_view to_string(SandboxMode mode);

inline constexpr std::string_view kInsideSource = "/work/source";
inline constexpr std::string_view kInsideBuild = "/work/build";

struct SandboxConfig {
  bool none = false;     // --no-sandbox
  unsigned uid = 64000;  // root_drop only
  unsigned gid = 64000;
  std::vector<std::pair<std::string, std::string>> env{};  // more variables, for every job
  Bytes memory_max{};              // of a program and its descendants; 0: kProgramMemoryShare of the machine's
  std::filesystem::path cgroup{};  // where control groups are made; empty: a place is looked for
  Toolchain toolchain{};           // what programs see beyond /usr, and use first
};

struct SandboxProbe {
  bool works = false;
  SandboxMode mode = SandboxMode::none;
  std::string text;  // one line for people: what works, or why not and how to fix it
};

struct Mount {
  std::filesystem::path host{};
  std::string inside{};
  bool writable = false;
};

struct SandboxJob {
  std::vector<std::string> argv{};  // paths as seen inside; see shell_argv()
  std::string cwd{kInsideBuild};
  std::vector<Mount> mounts{};
  std::vector<std::pair<std::string, std::string>> env{};
  bool network = false;  // the fetch stage only
  bool proxies = false;  // our proxy variables, which may hold a password: for trusted code alone
  bool gpu = false;      // pass the device nodes in
};

class Sandbox {
 public:
  // Tries the sandbox out; Errc::unsupported with the reason when it does not work here.
  [[nodiscard]] static Result<Sandbox> open(SandboxConfig config);
  [[nodiscard]] static SandboxProbe probe(const SandboxConfig& config);

  [[nodiscard]] SandboxMode mode() const { return mode_; }
  [[nodiscard]] bool has_groups() const { return groups_ != nullptr; }
  [[nodiscard]] const Toolchain& toolchain() const { return config_.toolchain; }
  // For a command that was not found: which folders there are, and how to add more. Empty without a sandbox, which
  // hides nothing.
  [[nodiscard]] std::string where_tools_are() const;
  // How the memory of programs is limited, in one line.
  [[nodiscard]] const std::string& memory_wall() const { return memory_wall_; }

  // Runs `job` under the caps, limits and time-out of `how` (whose argv, env and cwd are replaced). A program ended by
  // signal N is reported as such, although bubblewrap and the shell tell us 128 + N. One that used too much memory
  // says so in `over_limit`; where others used the machine's up, that is an error.
  [[nodiscard]] Result<ProcessResult> run(const SandboxJob& job, ProcessSpec how, std::stop_token stop = {}) const;

  // Where the program sees `inside`: the same path, or without a sandbox the mounted folder itself.
  [[nodiscard]] std::string locate(const std::vector<Mount>& mounts, std::string_view inside) const;

  // Gives a folder and all in it to the sandbox's user, or takes it back and makes it read-only.
  [[nodiscard]] Status hand_over(const std::filesystem::path& folder) const;
  [[nodiscard]] Status seal(const std::filesystem::path& folder) const;

 private:
  Sandbox(SandboxConfig config, SandboxMode mode) : config_(std::move(config)), mode_(mode) {}
  SandboxConfig config_;
  SandboxMode mode_;
  std::shared_ptr<const ControlGroups> groups_;  // empty: none can be made here
  std::string memory_wall_;
};

// The shell found no such command, or the loader no library: exit code 127.
[[nodiscard]] bool is_tool_missing(const ProcessResult& result);

// The whole bubblewrap command line; pure but for looking which system folders exist.
[[nodiscard]] std::vector<std::string> bubblewrap_argv(const SandboxConfig& config, SandboxMode mode,
                                                       const SandboxJob& job);

}  // namespace kernelgate
