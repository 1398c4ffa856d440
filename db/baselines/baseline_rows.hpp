// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a file of baselines is made of, and how it becomes rows again; service/baselines/baseline_file.hpp has the file.
// Call inside a Database work.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "db/baselines/baselines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// Present ones, oldest first; `name` empty: any. One that was carried into a later epoch has figures there, but no
// processes, and is left out.
[[nodiscard]] std::vector<BaselineId> measured_baselines(Connection& connection, RepositoryId repository,
                                                         const std::string& name);

struct BaselineRun {
  RunId run;
  Instant at{};
};
// The promoted run and its newest sessions, oldest first.
[[nodiscard]] std::vector<BaselineRun> baseline_runs(Connection& connection, const Baseline& baseline);

// One benchmark in one of head's undisturbed processes.
struct HeadSeries {
  std::string suite, benchmark, process;
  int samples = 0;                 // as many as were measured
  std::vector<double> samples_ns;  // as many as are kept
  double median_ns = 0;
  std::string state_json;
};
[[nodiscard]] std::vector<HeadSeries> head_series(Connection& connection, RunId run);

// Where a process of this id was measured.
struct ProcessOrigin {
  std::int64_t row = 0;
  RunId run;
  RepositoryId repository;
  std::optional<EpochId> epoch;
  std::string commit, suite;
};
[[nodiscard]] std::optional<ProcessOrigin> find_process(Connection& connection, const std::string& id);

using StoredTimes = std::map<std::string, std::pair<double, std::int64_t>>;  // by benchmark: median, count of samples
[[nodiscard]] StoredTimes stored_times(Connection& connection, std::int64_t process_row);

// How many samples the series of this process had before they were thinned, in their order.
void set_sample_counts(Connection& connection, const std::string& process, std::span<const int> counts);

// The run passed elsewhere, and its samples are thinned.
void end_imported(Connection& connection, RunId run, const std::string& summary, Instant finished_at, Instant now);

}  // namespace kernelgate::db
