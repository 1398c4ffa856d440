// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hands what a job reports to the local store, as a runner would to the server, and shows its progress. Private to
// commands/run.

#include <optional>
#include <string>

#include "commands/run/run.hpp"
#include "runner/job/job.hpp"
#include "service/store/store.hpp"

namespace kernelgate::local {

class StoreReporter final : public JobReporter {
 public:
  // `whole`: every suite is judged, so that verdicts may be reused.
  StoreReporter(service::Store store, RunId run, bool whole, RunProgress progress)
      : store_(store), run_(run), whole_(whole), progress_(std::move(progress)) {}

  [[nodiscard]] Status state(RunState state, const std::string& progress) override;
  [[nodiscard]] Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) override;
  [[nodiscard]] Status process(const Process& process) override;
  [[nodiscard]] Status log(const std::string& name, const std::string& text) override;

 private:
  const service::Store store_;
  const RunId run_;
  const bool whole_;
  const RunProgress progress_;
};

}  // namespace kernelgate::local
