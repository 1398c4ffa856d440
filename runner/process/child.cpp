// SPDX-License-Identifier: Apache-2.0
#include "runner/process/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace kernelgate::process_detail {
namespace {

[[noreturn]] void give_up(const ChildPlan& plan, int stage) {
  const ChildFailure failure{stage, errno};
  [[maybe_unused]] const auto written = write(plan.failure, &failure, sizeof failure);
  _exit(127);
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Descriptors that libraries of ours opened without close-on-exec must not reach foreign code.
void close_others_on_exec(int first) {
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
  if (syscall(SYS_close_range, first, ~0U, kCloseOnExec) == 0) return;
  for (int fd = first; fd < 4096; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

}  // namespace

void run_child(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // the parent went away before the line above
  reset_signals();
  if (dup2(plan.in, 0) < 0 || dup2(plan.out, 1) < 0 || dup2(plan.err, 2) < 0) give_up(plan, 0);
  if (plan.results >= 0 && dup2(plan.results, kResultsFd) < 0) give_up(plan, 0);
  if (plan.status >= 0 && dup2(plan.status, kStatusFd) < 0) give_up(plan, 0);
  close_others_on_exec(kStatusFd + 1);
  if (plan.results < 0) fcntl(kResultsFd, F_SETFD, FD_CLOEXEC);
  if (plan.status < 0) fcntl(kStatusFd, F_SETFD, FD_CLOEXEC);
  if (!plan.cwd.empty() && chdir(plan.cwd.c_str()) != 0) give_up(plan, 1);
  for (const auto& [which, limit] : plan.limits)
    if (setrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0) give_up(plan, 2);
  if (plan.pin && sched_setaffinity(0, sizeof plan.cpus, &plan.cpus) != 0) give_up(plan, 2);
  execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
  give_up(plan, 3);
}

}  // namespace kernelgate::process_detail
