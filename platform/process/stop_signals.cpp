// SPDX-License-Identifier: Apache-2.0
#include "platform/process/stop_signals.hpp"

#include <signal.h>
#include <unistd.h>

namespace kernelgate {
namespace {

sigset_t stop_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

StopSignals::StopSignals() {
  const sigset_t set = stop_set();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::jthread([this](const std::stop_token& over) {
    const sigset_t waited = stop_set();
    while (true) {
      const int number = sigwaitinfo(&waited, nullptr);
      if (over.stop_requested()) return;
      if (number <= 0) continue;
      if (stop_.stop_requested()) _exit(128 + number);
      stop_.request_stop();
    }
  });
}

StopSignals::~StopSignals() {
  waiter_.request_stop();
  // Blocked there: it wakes the waiter and nobody else. NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
  pthread_kill(waiter_.native_handle(), SIGTERM);
  waiter_.join();
  const sigset_t set = stop_set();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace kernelgate
