// SPDX-License-Identifier: Apache-2.0
#pragma once

// Baselines: stored series of a commit, promoted by a logged action, per benchmark and epoch.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/baselines.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Promotion {
  RepositoryId repository;
  RunId run;
  std::string name{};  // "main", "release-1.2"; the same name again replaces its present one
  std::string actor{}, reason{};
  bool anchor = false;  // a release: main's runs are compared with it to show slow creep
};

struct BaselineBenchmark {
  std::string suite, benchmark;
  double median_ns = 0;
  int processes = 0;
};

struct Baseline {
  BaselineId id;
  RepositoryId repository;
  RunId run;
  EpochId epoch;
  std::string name, commit, actor, reason;
  Instant promoted_at{};
  std::optional<Instant> replaced_at;
  bool anchor = false;
  int sessions = 0;                           // runs that timed its commit alone in its epoch, and passed
  std::vector<BaselineBenchmark> benchmarks;  // only where one baseline is asked for
};

// With its benchmarks. Unless it is replaced itself, it replaces the present one of its name in its epoch.
BaselineId add_baseline(Connection& connection, const Baseline& one, Instant now);
// The same, with the benchmarks that the run timed. Whether the run is fit is decided above.
[[nodiscard]] Result<BaselineId> promote(Connection& connection, const Promotion& promotion, Instant now);
[[nodiscard]] Result<Baseline> get_baseline(Connection& connection, BaselineId id);
// The one of the same repository, name, epoch, run and time of promotion.
[[nodiscard]] std::optional<Baseline> find_promotion(Connection& connection, const Baseline& like);
// The present baseline of this name in this epoch.
[[nodiscard]] std::optional<Baseline> find_baseline(Connection& connection, RepositoryId repository,
                                                    std::string_view name, EpochId epoch);
// Commits of the present baselines of any epoch, newest first, each once.
[[nodiscard]] std::vector<std::string> baseline_commits(Connection& connection, RepositoryId repository);
[[nodiscard]] std::vector<Baseline> list_baselines(Connection& connection, RepositoryId repository,
                                                   const Page& page = {});

// With its benchmarks, where it was read with them.
[[nodiscard]] wire::WholeBaseline to_wire(const Baseline& baseline);

// The run's first comparison that ended badly or without an end.
struct UnfitComparison {
  std::string suite, benchmark, verdict;
};
[[nodiscard]] std::optional<UnfitComparison> unfit_comparison(Connection& connection, RunId run);

// What disturbed a process of this run that was not redone.
struct Disturbance {
  std::string suite;
  std::int64_t pair = 0;
  std::string what;
};
[[nodiscard]] std::optional<Disturbance> find_disturbance(Connection& connection, RunId run);

// Whether a benchmark of head was timed.
[[nodiscard]] bool has_history(Connection& connection, RunId run);

}  // namespace kernelgate::db
