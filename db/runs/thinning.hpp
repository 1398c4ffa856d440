// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples of old runs, which become quantiles. Baselines, present or replaced, and their sessions are never among them.
// Call inside a Database work.

#include <cstdint>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

// Finished before `before`, with all their samples; `runs_max` 0: all.
[[nodiscard]] std::vector<RunId> old_runs(Connection& connection, Instant before, int runs_max);
// Those that finished as early, but are baselines or sessions of baselines.
[[nodiscard]] std::int64_t count_kept_runs(Connection& connection, Instant before);

struct SampleRow {
  std::int64_t process = 0, position = 0;
  std::vector<double> samples;
};
[[nodiscard]] std::vector<SampleRow> samples_of(Connection& connection, RunId run);
void put_samples(Connection& connection, const SampleRow& row);
void mark_thinned(Connection& connection, RunId run, Instant now);

// Of the file: pages that hold nothing and are used before it grows.
[[nodiscard]] std::int64_t free_bytes(Connection& connection);

}  // namespace kernelgate::db
