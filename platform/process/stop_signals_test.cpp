// SPDX-License-Identifier: Apache-2.0
#include "platform/process/stop_signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

namespace kernelgate {
namespace stop_signals_test {

TEST(StopSignals, ASignalAsksForAStop) {
  const StopSignals signals;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  kill(getpid(), SIGTERM);
  std::condition_variable_any().wait(lock, signals.token(), [] { return false; });
  EXPECT_TRUE(signals.token().stop_requested());
}

TEST(StopSignals, TheirEndLeavesNoSignalBehind) {
  for (int i = 0; i < 100; ++i) {
    const StopSignals signals;
    EXPECT_FALSE(signals.token().stop_requested());
  }
  sigset_t waiting;
  sigpending(&waiting);
  EXPECT_FALSE(sigismember(&waiting, SIGTERM));
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_FALSE(sigismember(&blocked, SIGTERM));
}

}  // namespace stop_signals_test
}  // namespace kernelgate
