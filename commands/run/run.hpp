// SPDX-License-Identifier: Apache-2.0
#pragma once

// Head against base on this machine, without a daemon: the same job, the same rule and the same
// table as on a server; samples and verdicts are kept in a local SQLite file. Blocks.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/cost.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/result.hpp"
#include "runner/job/job.hpp"

namespace kernelgate::local {

struct RunOptions {
  std::filesystem::path repository = ".";  // any folder of it
  std::string base;                        // revision; empty: HEAD of the work tree, else first parent
  std::string head = "HEAD";
  bool work_tree = false;                           // head is the work tree as it stands
  std::filesystem::path manifest;                   // wins over the repository's own; empty: none
  std::string suite;                                // empty: all
  std::string filter;                               // regular expression; empty: all benchmarks
  std::filesystem::path database;                   // empty: <git dir>/kernelgate/local.db
  std::vector<int> cpus;                            // pin suites to these; empty: not pinned
  int gpu = 0;                                      // index of the GPU to measure on
  double price_per_hour = 0;                        // of the device; 0: not known
  std::filesystem::path probe_folder;               // of the programs that ask a GPU for its health; empty: beside ours
  std::vector<std::filesystem::path> toolchains{};  // folders of tools, beside those that the environment names
  bool no_sandbox = false;
  bool force = false;                     // measure although the verdict is known
  std::string program = "kernelgate";     // this one's version line, kept with the verdict
  std::optional<BuildDefines> defines{};  // of a sweep: base and head are two points of one commit
  std::string store_as = "local";         // repository of the local store
  std::optional<Against> against{};       // wins over the manifest's
  int session = 0;                        // over 0: head alone in so many processes, a session of a baseline
};

// The commit and the manifest that options name, for those who do more with them than one run.
struct Subject {
  Git git;
  CommitHash head;
  Manifest manifest;
};
[[nodiscard]] Result<Subject> find_subject(const RunOptions& options);

struct RunOutcome {
  RunDecision decision;
  std::string title;                        // "1a2b3c4d5e against 0f9e8d7c6b"
  std::int64_t run = 0;                     // in the local store
  std::optional<std::int64_t> reused_from;  // an earlier run answered
  std::string failure_log;                  // of a head that does not build
  RunCost cost;
  double wall_s = 0;
  std::string base{};    // full hash that head was compared with; empty: none
  bool stopped = false;  // on request: the decision is of what was measured until then, and no verdict
};

// The repository's name in a local store.
inline constexpr const char* kRepositoryName = "local";

// Errc::invalid: no regular expression.
[[nodiscard]] Status check_filter(const std::string& filter);

// Called as the run goes on, with one line for people.
using RunProgress = std::function<void(const std::string&)>;

// Where the local store of a repository is kept; any folder of it. Errc::not_found: there is no repository.
[[nodiscard]] Result<std::filesystem::path> local_store(const std::filesystem::path& repository);

// Whether HEAD is judged and tracked files of the work tree differ from it: these changes are not measured.
[[nodiscard]] bool leaves_out_changes(const RunOptions& options);

// An error is the caller's input (invalid, not_found) or a store that cannot be used; what went
// wrong with the commit or the machine is the decision.
[[nodiscard]] Result<RunOutcome> run_here(const RunOptions& options, const RunProgress& progress,
                                          const std::stop_token& stop);

}  // namespace kernelgate::local
