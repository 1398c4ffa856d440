// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bound on a run's wall time. Once it is reached, whatever the run does is stopped; who is to blame is read from
// whose programs took the time. Private to runner/job.

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

class RunBound {
 public:
  // A stop of `stop` is passed on.
  RunBound(std::chrono::milliseconds most, const std::stop_token& stop);
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] bool was_reached() const { return was_reached_; }

 private:
  std::stop_source stop_;
  std::atomic<bool> was_reached_ = false;
  std::stop_callback<std::function<void()>> passed_on_;
  std::jthread timer_;
};

// Head's fault where its build, checks and processes took at least half of the time: its run failed by time. Otherwise
// nobody's: infrastructure.
void end_for_time(RunEvidence& evidence, std::chrono::milliseconds most, double head_s);

}  // namespace kernelgate
