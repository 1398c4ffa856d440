// SPDX-License-Identifier: Apache-2.0
#pragma once

// The child's side between fork and exec. The parent may have other threads, so everything is prepared before the fork
// and only async-signal-safe calls are made after it. Private to runner/process.

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "platform/process/process.hpp"

namespace kernelgate::process_detail {

// All that the child needs, in plain arrays. The descriptors are above kResultsFd, so dup2 never hits one of them.
struct ChildPlan {
  std::vector<char*> argv, envp;  // null-terminated; they point into the spec
  std::string program;            // resolved path
  std::string cwd;
  int in = -1, out = -1, err = -1, results = -1, status = -1, filter = -1, failure = -1;
  int group = -1;   // cgroup.procs
  int report = -1;  // the supervisor's
  std::vector<std::pair<int, rlimit>> limits;
  cpu_set_t cpus{};
  bool pin = false;
  pid_t parent = 0;
};

enum class ChildStage { group, pipes, folder, limits, start };
inline constexpr const char* kChildStages[] = {"enter the control group", "set up pipes", "enter the working folder",
                                               "set limits", "start"};

// What the child writes to `failure` when it cannot start the program.
struct ChildFailure {
  ChildStage stage = ChildStage::start;
  int error = 0;
};

[[noreturn]] void give_up(const ChildPlan& plan, ChildStage stage);
void default_signals();  // no handler of ours; the mask stays
// close_range(2), or a loop where the kernel lacks it.
void close_range_or_each(unsigned first, unsigned last, bool on_exec);

[[noreturn]] void run_child(const ChildPlan& plan);

}  // namespace kernelgate::process_detail
