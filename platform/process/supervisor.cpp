// SPDX-License-Identifier: Apache-2.0
#include "platform/process/supervisor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "core/units/limits.hpp"

namespace kernelgate::process_detail {
namespace {

// "123 (any) name) S 77 …": the parent stands behind the state, and only the last bracket ends the name.
pid_t parent_of(int proc, const char* pid) {
  char path[32] = {}, text[256] = {};
  std::strncpy(path, pid, 16);
  std::strcat(path, "/stat");
  const int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  const auto count = read(fd, text, sizeof text - 1);
  close(fd);
  const char* behind = count > 0 ? std::strrchr(text, ')') : nullptr;
  if (behind == nullptr || std::strlen(behind) < 5) return -1;
  pid_t parent = 0;
  for (behind += 4; *behind >= '0' && *behind <= '9'; ++behind) parent = 10 * parent + (*behind - '0');
  return parent;
}

pid_t number(const char* name) {
  pid_t value = 0;
  for (; *name >= '0' && *name <= '9'; ++name) value = 10 * value + (*name - '0');
  return *name == '\0' ? value : 0;
}

// What getdents64 fills in; glibc's readdir would allocate.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

// Their children fall to us in turn and are met in the next round.
void kill_children() {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  alignas(Entry) char buffer[8192];
  for (long count = 0; (count = syscall(SYS_getdents64, proc, buffer, sizeof buffer)) > 0;)
    for (const char* at = buffer; at < buffer + count;) {
      const auto* entry = reinterpret_cast<const Entry*>(at);
      at += entry->length;
      const pid_t pid = number(entry->name);
      if (pid > 0 && parent_of(proc, entry->name) == getpid()) kill(pid, SIGKILL);
    }
  close(proc);
}

// Waits for the child to end, and fetches orphans meanwhile. Leaves the child's zombie in place: its number, and with
// it the group's, cannot be given to anybody else yet.
void wait_for(pid_t child, const sigset_t& told) {
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == child) return;
    if (ended.si_pid != 0) {
      waitpid(ended.si_pid, nullptr, WNOHANG);
      continue;
    }
    const int signal = sigwaitinfo(&told, nullptr);
    if (signal == SIGTERM) kill(-child, SIGTERM);
    if (signal != kKillSignal) continue;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);  // it may have joined another group
  }
}

time_t seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

void end_descendants(const sigset_t& told) {
  const auto deadline = seconds_now() + limits::kLeftoversMax.count();
  for (;;) {
    pid_t fetched = 0;
    while ((fetched = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (fetched < 0 || seconds_now() >= deadline) return;  // nobody is left, or who is cannot be killed
    kill_children();
    const timespec pause{0, 5'000'000};
    sigtimedwait(&told, nullptr, &pause);
  }
}

// Until nobody holds the writing end. A program that began before its supervisor has closed what it inherited could
// stop it there: whoever started the supervisor would wait for ever to hear that the program has begun.
void wait_for_end_of(int fd) {
  char byte = 0;
  while (read(fd, &byte, 1) < 0 && errno == EINTR) {
  }
  close(fd);
}

void close_all_but(unsigned kept) {
  close_range_or_each(0, kept - 1, false);  // it is above the standard ones
  close_range_or_each(kept + 1, ~0U, false);
}

}  // namespace

void run_supervisor(ChildPlan& plan) {
  setpgid(0, 0);  // out of the terminal's group: an interrupt is for those who can tell us to stop
  sigset_t all, told;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  sigemptyset(&told);
  for (const int signal : {SIGCHLD, SIGTERM, kKillSignal}) sigaddset(&told, signal);
  default_signals();
  prctl(PR_SET_NAME, "kernelgate-wait");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, kKillSignal);
  if (getppid() != plan.parent) _exit(127);  // the parent went away before the line above

  plan.parent = getpid();
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) give_up(plan, ChildStage::pipes);
  const pid_t child = fork();
  if (child < 0) give_up(plan, ChildStage::start);
  if (child == 0) {
    close(ready[1]);
    wait_for_end_of(ready[0]);
    run_child(plan);
  }
  setpgid(child, child);  // both sides do it, so that the group exists whoever runs first
  close_all_but(static_cast<unsigned>(plan.report));

  wait_for(child, told);
  kill(-child, SIGKILL);  // whoever is left of the group
  int status = 0;
  waitpid(child, &status, 0);
  end_descendants(told);
  [[maybe_unused]] const auto written = write(plan.report, &status, sizeof status);
  _exit(0);
}

}  // namespace kernelgate::process_detail
