// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a commit was measured at, in any run: what differences between commits are made of. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

// Of the present baseline of this name, in its newest epoch.
[[nodiscard]] std::optional<std::string> baseline_commit(Connection& connection, RepositoryId repository,
                                                         const std::string& name);
// At most two of those that begin so.
[[nodiscard]] std::vector<std::string> commits_like(Connection& connection, RepositoryId repository,
                                                    const std::string& prefix);

struct TimedProcess {
  std::string suite, benchmark;
  std::int64_t epoch = 0, run = 0;
  double median_ns = 0;
};
// Every time the commit was measured undisturbed, alone or as either side.
[[nodiscard]] std::vector<TimedProcess> timed_processes(Connection& connection, RepositoryId repository,
                                                        const std::string& commit);

struct PairedBenchmark {
  std::string suite, benchmark;
  std::int64_t epoch = 0, run = 0;  // epoch 0: none
  int pairs = 0;
  std::optional<double> ratio, ratio_low, ratio_high, base_median_ns, head_median_ns;
};
// Of the runs that timed the two in turn, oldest first.
[[nodiscard]] std::vector<PairedBenchmark> paired_benchmarks(Connection& connection, RepositoryId repository,
                                                             const std::string& head, const std::string& base);

}  // namespace kernelgate::db
