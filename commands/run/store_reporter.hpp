// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes what a job reports into the local store, and shows its progress. Private to commands/run.

#include <optional>
#include <string>

#include "commands/run/run.hpp"
#include "db/store/database.hpp"
#include "runner/job/job.hpp"

namespace kernelgate::local {

struct StoredRun {
  RepositoryId repository;
  EpochId epoch;
  RunId run;
};

class StoreReporter final : public JobReporter {
 public:
  // `reuse`: whether an earlier verdict may answer; `keyed`: whether later runs may reuse this one.
  StoreReporter(db::Database& database, StoredRun run, bool reuse, bool keyed, RunProgress progress)
      : database_(database), run_(run), reuse_(reuse), keyed_(keyed), progress_(std::move(progress)) {}

  [[nodiscard]] Status state(RunState state, const std::string& progress) override;
  [[nodiscard]] Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) override;
  [[nodiscard]] Status process(const Process& process) override;
  [[nodiscard]] Status log(const std::string& name, const std::string& text) override;

 private:
  db::Database& database_;
  const StoredRun run_;
  const bool reuse_, keyed_;
  const RunProgress progress_;
  std::size_t notices_told_ = 0;
};

}  // namespace kernelgate::local
