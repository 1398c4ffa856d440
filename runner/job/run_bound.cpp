// SPDX-License-Identifier: Apache-2.0
#include "runner/job/run_bound.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <utility>

namespace kernelgate {

RunBound::RunBound(std::chrono::milliseconds most, const std::stop_token& stop)
    : passed_on_(stop, [this] { stop_.request_stop(); }), timer_([this, most](const std::stop_token& over) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait_for(lock, over, most, [] { return false; });
        if (over.stop_requested()) return;
        was_reached_ = true;
        stop_.request_stop();
      }) {}

void end_for_time(RunEvidence& evidence, std::chrono::milliseconds most, double head_s) {
  const double most_s = std::chrono::duration<double>(most).count();
  const std::string text =
      fmt::format("the run was ended after {:.1f} min: head's build, checks and suites took {:.1f} min of them",
                  most_s / 60, head_s / 60);
  evidence.infrastructure.clear();
  if (2 * head_s < most_s) {
    evidence.infrastructure = text;
    return;
  }
  SuiteEvidence whole;
  whole.name = "run";
  whole.has_base = false;
  whole.checks_ran = true;
  whole.checks_passed = false;
  CaseFailure failure;
  failure.benchmark = "whole run";
  failure.side = Side::head;
  failure.verdict = Verdict::timed_out;
  failure.text = text;
  whole.failures.push_back(std::move(failure));
  evidence.suites.push_back(std::move(whole));
}

}  // namespace kernelgate
