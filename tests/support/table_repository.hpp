// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test support: a git repository whose suite is a table of times (tests/support/table_suite.sh), and
// the machine to run jobs on it. Its path holds a space. Everything goes away with the object.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "runner/job/epoch.hpp"
#include "runner/job/job.hpp"
#include "runner/job/profiles.hpp"

namespace kernelgate {

struct RecordingReporter final : JobReporter {
  Status state(RunState state, const std::string& progress) override;
  Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) override;
  Status process(const Process& process) override;
  Status log(const std::string& name, const std::string& text) override;

  std::vector<RunState> states;
  std::vector<wire::Resolved> resolved_facts;
  std::vector<Process> processes;
  std::map<std::string, std::string> logs;
  std::optional<std::int64_t> reuse;
  bool refuse_state = false;
};

class TableRepository {
 public:
  explicit TableRepository(const SandboxConfig& sandbox = {.none = true});
  TableRepository(const TableRepository&) = delete;
  TableRepository& operator=(const TableRepository&) = delete;
  ~TableRepository();

  // The first commit brings manifest, suite, build and check along; later ones change files.
  CommitHash commit(const std::map<std::string, std::string>& files);
  void remove(const std::string& file);

  // Lines for [policy] and for the suite.
  static std::string manifest(const std::string& policy, const std::string& suite = "");
  static std::string copying_build();
  static std::string compiling_build();
  static std::string passing_check();
  static std::string failing_check(const std::string& rel_err);

  // Without `base`: the first parent.
  JobRequest request_for(const CommitHash& head, std::optional<CommitHash> base);
  JobRequest request_for(const CommitHash& head) { return request_for(head, std::nullopt); }
  Result<JobResult> run(const JobRequest& request, std::stop_token stop = {});
  RunDecision judge(const JobRequest& request);  // also sets `last`
  Result<ProfiledPair> profile(const JobRequest& request, const CommitHash& base, const std::string& benchmark);
  Result<EpochEntered> enter(const JobRequest& request, const EpochRequest& epoch);

  [[nodiscard]] const std::filesystem::path& folder() const { return repository_; }

  RecordingReporter reporter;
  std::filesystem::path cuda_tools;  // folder of a cuobjdump; empty: that of the machine, if any
  JobResult last;
  MachineFacts machine;  // that runs are told to be on
  std::filesystem::path sanitizer;
  DisturbanceProbe* probe = nullptr;  // null: nothing is ever disturbed

 private:
  void git(const std::vector<std::string>& args) const;

  std::filesystem::path root_, repository_;
  std::optional<Sandbox> sandbox_;
  std::optional<BuildCache> builds_;
  std::optional<Git> git_;
  CpuProbe probe_;
  int commits_ = 0;
};

}  // namespace kernelgate
