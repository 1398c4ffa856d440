// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs one child process to its end. The child leads a process group of its own, gets exactly the argv, environment and
// folder given, reads nothing but `stdin_text`, and dies with us. At the time-out and on a stop request its group is
// ended; when the child has ended, and when we have, all its descendants are killed, daemons with sessions of their own
// too: none holds a pipe open or disturbs what is measured next.
// Thread-safe; the calling thread blocks. A Result error means that the child never started.

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

inline constexpr int kResultsFd = 3;  // the extra pipe, as the child sees it: "/dev/fd/3"
inline constexpr int kStatusFd = 4;   // a second one, for launchers such as bubblewrap
inline constexpr int kFilterFd = 5;   // a file that the launcher reads

struct ResourceLimits {  // core dumps are always off
  std::optional<Bytes> address_space{};
  std::optional<Bytes> file_size{};
  std::optional<std::chrono::seconds> cpu{};
  std::optional<int> processes{};  // of the user; no effect on root
  std::optional<int> open_files{};
};

struct ProcessSpec {
  std::vector<std::string> argv{};     // argv[0] holds a slash, or is looked up on the PATH of `env`
  std::vector<std::string> env{};      // "NAME=value"; all of it
  std::filesystem::path cwd{};         // empty: ours
  std::string stdin_text{};            // empty: /dev/null
  bool merge_stderr = false;           // stderr goes into `out`, in the order written
  Bytes output_max = limits::kLogMax;  // of stdout and stderr each: the first and last half are kept
  bool kill_when_over = false;         // instead of cutting the middle out: kill, too_large
  bool results_pipe = false;           // open kResultsFd; over results_max: kill, too_large
  Bytes results_max = limits::kSuiteOutputMax;
  bool status_pipe = false;  // open kStatusFd
  int filter = -1;           // a descriptor of the caller that the child sees as kFilterFd; -1: none
  std::chrono::milliseconds timeout = limits::kSuiteTimeoutDefault;
  std::chrono::milliseconds grace = limits::kKillGrace;  // from SIGTERM to SIGKILL
  ResourceLimits limits{};
  std::vector<int> cpus{};  // pin to these; empty: as we are
  int group = -1;           // the control group that the child enters: ControlGroup::entry(); -1: ours
  // Called now and then with the number of the child's parent, from the calling thread: what it returns is why the
  // child must end. Empty: it may go on.
  std::function<std::string(pid_t)> watch{};
  std::chrono::milliseconds watch_every = limits::kMemoryLookEvery;
};

struct ProcessResult {
  int exit_code = -1;                                            // of a child that left by itself
  int signal = 0;                                                // that ended it; exit_code is -1 then
  bool timed_out = false, cancelled = false, too_large = false;  // we killed it, and why
  std::string over_limit{};                                      // likewise: what it used too much of
  double wall_s = 0;
  double cpu_s = 0;  // of the child and its descendants; of a sandbox, bubblewrap's alone
  std::string out{}, err{}, results{}, status{};
  [[nodiscard]] bool ok() const { return exit_code == 0 && !killed_by_us(); }
  [[nodiscard]] bool killed_by_us() const { return timed_out || cancelled || too_large || !over_limit.empty(); }
};

// Whether a process of ours may be pinned to all of them. Errc::invalid names the first that is not there.
[[nodiscard]] Status check_cpus(const std::vector<int>& cpus);

[[nodiscard]] Result<ProcessResult> run_process(const ProcessSpec& spec, std::stop_token stop = {});

// "exit code 3", "signal 11 (Segmentation fault)", "timed out after 120 s", …
[[nodiscard]] std::string describe_end(const ProcessResult& result);

}  // namespace kernelgate
