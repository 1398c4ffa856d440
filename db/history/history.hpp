// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a chart needs, aggregated when a run finishes: one point per benchmark and run, of head's
// processes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct HistoryPoint {
  RunId run;
  std::string commit, branch, suite, benchmark;
  std::optional<EpochId> epoch;
  Instant finished_at{};
  double median_ns = 0;  // of the medians of head's processes
  double spread_ns = 0;  // largest less smallest of them
  int processes = 0;
  int samples = 0;
  Verdict verdict = Verdict::added;
  std::optional<double> ratio, ratio_low, ratio_high;
};

struct HistoryFilter {
  RepositoryId repository;
  std::string suite{}, benchmark{};
  std::string branch{};  // empty: any
  std::optional<EpochId> epoch{};
};
// Newest first; Page::before is a run id.
[[nodiscard]] std::vector<HistoryPoint> list_history(Connection& connection, const HistoryFilter& filter,
                                                     const Page& page = {});

struct BenchmarkName {
  std::int64_t id = 0;  // Page::before of the next page is the last id
  std::string suite, benchmark;
};
// Newest first.
[[nodiscard]] std::vector<BenchmarkName> list_benchmarks(Connection& connection, RepositoryId repository,
                                                         const Page& page = {});

}  // namespace kernelgate::db
