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
    const timespec slice{0, 200'000'000};
    while (!over.stop_requested()) {
      const int number = sigtimedwait(&waited, nullptr, &slice);
      if (number <= 0) continue;
      if (stop_.stop_requested()) _exit(128 + number);
      stop_.request_stop();
    }
  });
}

StopSignals::~StopSignals() {
  waiter_ = std::jthread();
  const sigset_t set = stop_set();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace kernelgate
