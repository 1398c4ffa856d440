// SPDX-License-Identifier: Apache-2.0
#include "commands/up/background.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "platform/process/logged_child.hpp"

namespace kernelgate::up {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookEvery{20};

// When a process that is alive began, in ticks since the machine did; 0: there is none, or it has ended. A child of
// ours that has ended is gone too.
std::uint64_t began_at(pid_t pid) {
  (void)waitpid(pid, nullptr, WNOHANG);
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == text.npos) return 0;
  std::istringstream fields(text.substr(name_ends + 1));
  std::string state, skipped;
  fields >> state;
  constexpr int kBetween = 18;  // of proc(5): the fields from the parent (4) to the last before starttime (22)
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  std::uint64_t began = 0;
  fields >> began;
  return state == "Z" || state == "X" ? 0 : began;
}

}  // namespace

Background::Background(std::string name, const fs::path& folder)
    : name_(std::move(name)), pid_file_(folder / (name_ + ".pid")), log_(folder / (name_ + ".log")) {}

pid_t Background::running() const {
  std::ifstream file(pid_file_);
  pid_t pid = 0;
  std::uint64_t began = 0;
  if (!(file >> pid >> began) || pid <= 1 || began == 0) return 0;
  return began_at(pid) == began ? pid : 0;
}

Status Background::start(const std::vector<std::string>& argv) const {
  const auto started = start_logged(name_, argv, log_, LoggedLife::own_session);
  if (!started) return pass_on(started);
  const pid_t pid = *started;
  std::ofstream file(pid_file_, std::ios::trunc);
  file << pid << ' ' << began_at(pid) << '\n';
  if (file.flush()) return {};
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  return fail(Errc::io, "cannot write the file", pid_file_.string());
}

bool Background::stop(std::chrono::milliseconds patience) const {
  const pid_t pid = running();
  std::error_code ignored;
  if (pid == 0) {
    fs::remove(pid_file_, ignored);
    return false;
  }
  kill(pid, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (running() != 0) {
    if (std::chrono::steady_clock::now() > deadline) kill(-pid, SIGKILL);
    std::this_thread::sleep_for(kLookEvery);
  }
  fs::remove(pid_file_, ignored);
  return true;
}

std::string Background::log_text() const {
  std::ifstream file(log_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace kernelgate::up
