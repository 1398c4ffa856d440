// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the stages of a job share: the request, the machine, and a reporter whose refusal ends
// everything. Private to runner/job.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "core/units/limits.hpp"
#include "runner/job/effective_manifest.hpp"
#include "runner/job/job.hpp"

namespace kernelgate {

class JobStage {
 public:
  JobStage(const JobMachine& machine, const JobRequest& asked, JobReporter& reporter, std::stop_token stop_token)
      : machine(machine), request(asked), stop(std::move(stop_token)), reporter_(reporter) {}
  JobStage(const JobStage&) = delete;
  JobStage& operator=(const JobStage&) = delete;
  ~JobStage() { let_device_go(); }

  const JobMachine& machine;
  const JobRequest& request;
  const std::stop_token stop;

  // Errors of the reporter are remembered: they are no fault of the machine.
  Status state(RunState state, const std::string& progress) { return remember(reporter_.state(state, progress)); }
  Status process(const Process& process) { return remember(reporter_.process(process)); }
  // `name` may hold a suite's name: what a log may not be called becomes a dash.
  Status log(std::string name, const std::string& text) {
    for (char& c : name) {
      const bool upper = c >= 'A' && c <= 'Z';
      const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
      if (upper)
        c = static_cast<char>(c - 'A' + 'a');
      else if (!fits)
        c = '-';
    }
    return remember(reporter_.log(name.substr(0, 100), text));
  }
  Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) {
    auto answer = reporter_.resolved(facts);
    if (!answer) refusal_ = answer.error();
    return answer;
  }
  // How often what only head has is timed: a session of a baseline says, else once.
  [[nodiscard]] int session_processes() const {
    if (request.base.kind != wire::BaseKind::none) return 1;
    return std::clamp(std::atoi(request.base.argument.c_str()), 1, limits::kPairsMax);
  }
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }

  // The device is held from its first use to the next build, and its seconds are counted. Waiting is told as progress.
  Status hold_device(RunState state_now) {
    if (held_since_) return {};
    const auto say = [this, state_now](const std::string& text) { (void)state(state_now, text); };
    if (auto held = machine.probe->hold(say, stop); !held) return held;
    held_since_ = std::chrono::steady_clock::now();
    return {};
  }
  void let_device_go() {
    if (!held_since_) return;
    machine.probe->let_go();
    held_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - *held_since_).count();
    held_since_.reset();
  }
  [[nodiscard]] double held_s() const { return held_s_; }

  // Wall time of head's programs: it says who is to blame for a run that takes too long.
  void charge_head(double seconds) { head_s_ += seconds; }
  [[nodiscard]] double head_s() const { return head_s_; }

 private:
  Status remember(Status status) {
    if (!status) refusal_ = status.error();
    return status;
  }
  JobReporter& reporter_;
  std::optional<Error> refusal_;
  std::optional<std::chrono::steady_clock::time_point> held_since_;
  double held_s_ = 0;
  double head_s_ = 0;
};

// Charges head with its own life.
class HeadClock {
 public:
  HeadClock(JobStage& stage, bool is_head) : stage_(stage), is_head_(is_head) {}
  HeadClock(const HeadClock&) = delete;
  HeadClock& operator=(const HeadClock&) = delete;
  ~HeadClock() {
    const std::chrono::duration<double> lived = std::chrono::steady_clock::now() - started_;
    if (is_head_) stage_.charge_head(lived.count());
  }

 private:
  JobStage& stage_;
  bool is_head_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace kernelgate
