// SPDX-License-Identifier: Apache-2.0
#include "platform/process/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace kernelgate::process_detail {

void give_up(const ChildPlan& plan, ChildStage stage) {
  const ChildFailure failure{stage, errno};
  [[maybe_unused]] const auto written = write(plan.failure, &failure, sizeof failure);
  _exit(127);
}

void default_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
}

void close_range_or_each(unsigned first, unsigned last, bool on_exec) {
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
  if (syscall(SYS_close_range, first, last, on_exec ? kCloseOnExec : 0U) == 0) return;
  for (unsigned fd = first; fd <= std::min(last, 4095U); ++fd) {
    if (on_exec)
      fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
    else
      close(static_cast<int>(fd));
  }
}

void run_child(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // the parent went away before the line above
  if (plan.group >= 0 && write(plan.group, "0", 1) != 1) give_up(plan, ChildStage::group);
  default_signals();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(plan.in, 0) < 0 || dup2(plan.out, 1) < 0 || dup2(plan.err, 2) < 0) give_up(plan, ChildStage::pipes);
  if (plan.results >= 0 && dup2(plan.results, kResultsFd) < 0) give_up(plan, ChildStage::pipes);
  if (plan.status >= 0 && dup2(plan.status, kStatusFd) < 0) give_up(plan, ChildStage::pipes);
  if (plan.filter >= 0 && dup2(plan.filter, kFilterFd) < 0) give_up(plan, ChildStage::pipes);
  close_range_or_each(kFilterFd + 1, ~0U, true);  // what libraries of ours opened must not reach foreign code
  if (plan.results < 0) fcntl(kResultsFd, F_SETFD, FD_CLOEXEC);
  if (plan.status < 0) fcntl(kStatusFd, F_SETFD, FD_CLOEXEC);
  if (plan.filter < 0) fcntl(kFilterFd, F_SETFD, FD_CLOEXEC);
  if (!plan.cwd.empty() && chdir(plan.cwd.c_str()) != 0) give_up(plan, ChildStage::folder);
  for (const auto& [which, limit] : plan.limits)
    if (setrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0) give_up(plan, ChildStage::limits);
  if (plan.pin && sched_setaffinity(0, sizeof plan.cpus, &plan.cpus) != 0) give_up(plan, ChildStage::limits);
  execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
  give_up(plan, ChildStage::start);
}

}  // namespace kernelgate::process_detail
