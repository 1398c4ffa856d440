// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands now: the state of each repository on each testbed, what is slower or broken and since when, who measures,
// and what it cost. Looks at the newest kRunsLookedAt runs only, so its time does not grow with the store. Call inside
// a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

inline constexpr std::int64_t kRunsLookedAt = 5000;
inline constexpr int kRecentRuns = 16;  // of a repository on a testbed

// A finished run of a default branch, newest first within its repository and testbed.
struct RecentRun {
  std::string repository, testbed;
  RunId run;
  std::string commit, subject, conclusion;
  Instant finished_at{};
};
[[nodiscard]] std::vector<RecentRun> recent_runs(Connection& connection);

// A benchmark that a run of the default branch found slower, in the testbed's present epoch, which nobody accepted or
// set aside, and which the newest run that timed it still finds nearer to the new level than to the old one.
struct OpenRegression {
  std::string repository, testbed, suite, benchmark;
  RunId run;
  std::string commit, subject, author, base_commit;
  Instant found_at{};
  double ratio = 1;
  std::optional<double> ratio_low, ratio_high;
  double tolerate = 0, catch_limit = 0;  // the band it was judged by
};
[[nodiscard]] std::vector<OpenRegression> open_regressions(Connection& connection, Instant now);

// Of the newest run of a repository and testbed that reached a verdict on the default branch, if it is broken.
struct BrokenKernel {
  std::string repository, testbed, suite, benchmark, verdict, reason, fingerprint;
  RunId run;
  std::string commit, subject;
  Instant found_at{};
};
[[nodiscard]] std::vector<BrokenKernel> broken_kernels(Connection& connection);

struct RunnerSeen {
  std::string name, testbed, gpu_model, state, progress;
  RunId run;  // the last it took
  Instant started_at{};
  std::string card_state;  // JSON, of its last process; empty: none
};
[[nodiscard]] std::vector<RunnerSeen> runners_seen(Connection& connection);

struct Spent {
  std::int64_t runs = 0;
  double gpu_s_held = 0, gpu_s_used = 0;
  std::optional<double> cost;  // of the runs with a known price
};
[[nodiscard]] Spent spent_since(Connection& connection, Instant since);

// How far an unfinished run is, and how long those before it took.
struct RunPace {
  int pairs = 0;                     // both sides of which are stored
  std::optional<double> expected_s;  // median of the last finished ones of the repository
};
[[nodiscard]] RunPace pace_of(Connection& connection, RunId run);

// Runs in which a failure of this fingerprint was found, newest first.
struct FailureSeen {
  RunId run;
  std::string commit, branch, subject, benchmark, verdict;
  Instant finished_at{};
};
[[nodiscard]] std::vector<FailureSeen> failures_seen(Connection& connection, RepositoryId repository,
                                                     std::string_view fingerprint, int limit);

}  // namespace kernelgate::db
