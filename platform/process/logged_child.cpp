// SPDX-License-Identifier: Apache-2.0
#include "platform/process/logged_child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/files/descriptor.hpp"

namespace kernelgate {
namespace {

constexpr int kExitNotStarted = 127;

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, int log, LoggedLife life, pid_t parent) {
  if (life == LoggedLife::own_session) {
    setsid();
  } else {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(kExitNotStarted);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(kExitNotStarted);
}

}  // namespace

Result<pid_t> start_logged(const std::string& name, const std::vector<std::string>& argv,
                           const std::filesystem::path& log, LoggedLife life) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  const int begin = life == LoggedLife::own_session ? O_TRUNC : 0;
  const Descriptor file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | begin, 0600));
  if (!file.valid()) return fail(Errc::io, std::strerror(errno), log.string());
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(pointers.data(), file.get(), life, parent);
  if (pid < 0) return fail(Errc::io, std::string("cannot start a process: ") + std::strerror(errno), name);
  return pid;
}

}  // namespace kernelgate
