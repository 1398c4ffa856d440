// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns SIGINT and SIGTERM into a stop request, for programs that end in order. Make one before any
// other thread starts: the signals are blocked in this thread and in all that it starts later. A
// second signal ends the program at once.

#include <stop_token>
#include <thread>

namespace kernelgate {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace kernelgate
