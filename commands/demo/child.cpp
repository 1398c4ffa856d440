// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/child.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "platform/process/logged_child.hpp"

namespace kernelgate::demo {
namespace {

constexpr std::size_t kLastWords = 800;

}  // namespace

Result<Child> Child::start(const std::string& name, const std::vector<std::string>& argv,
                           const std::filesystem::path& log) {
  const auto pid = start_logged(name, argv, log, LoggedLife::with_us);
  if (!pid) return pass_on(pid);
  return Child(name, *pid, log);
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
