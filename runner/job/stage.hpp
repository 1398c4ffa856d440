// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the stages of a job share: the request, the machine, and a reporter whose refusal ends
// everything. Private to runner/job.

#include <optional>
#include <string>
#include <utility>

#include "runner/job/job.hpp"
#include "runner/job/yardstick.hpp"

namespace kernelgate {

class JobStage {
 public:
  JobStage(const JobPlace& machine, const JobRequest& asked, JobReporter& reporter, std::stop_token stop_token)
      : place(machine), request(asked), stop(std::move(stop_token)), reporter_(reporter) {}

  const JobPlace& place;
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
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }

 private:
  Status remember(Status status) {
    if (!status) refusal_ = status.error();
    return status;
  }
  JobReporter& reporter_;
  std::optional<Error> refusal_;
};

}  // namespace kernelgate
