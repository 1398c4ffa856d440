// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

namespace kernelgate::demo {
namespace {

constexpr std::size_t kLastWords = 800;
constexpr int kExitNotStarted = 127;

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kExitNotStarted);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(kExitNotStarted);
}

}  // namespace

Result<Child> Child::start(const std::string& name, const std::vector<std::string>& argv,
                           const std::filesystem::path& log) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return fail(Errc::io, std::strerror(errno), log);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(pointers.data(), file, parent);
  const int error = errno;
  close(file);
  if (pid < 0) return fail(Errc::io, std::string("cannot start a process: ") + std::strerror(error), name);
  return Child(name, pid, log);
}

Child::Child(Child&& other) noexcept
    : name_(std::move(other.name_)), pid_(std::exchange(other.pid_, 0)), log_(std::move(other.log_)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(pid_, other.pid_);
  std::swap(log_, other.log_);
  return *this;
}

Child::~Child() { stop(); }

bool Child::running() {
  if (pid_ != 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
  return pid_ != 0;
}

std::string Child::last_words() const {
  std::ifstream file(log_, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.size() <= kLastWords ? text : text.substr(text.size() - kLastWords);
}

void Child::stop(std::chrono::milliseconds patience) {
  if (!running()) return;
  kill(pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (running()) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(-pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
      pid_ = 0;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace kernelgate::demo
