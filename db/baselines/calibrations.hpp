// SPDX-License-Identifier: Apache-2.0
#pragma once

// What calibration found of each benchmark in an epoch. Each is kept; of an epoch the one with most degrees of freedom
// counts, the newest of equals: few pairs must not take the place of many. Call inside a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/calibrations.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// Kernelgate's own suite, which does known amounts of extra work: it belongs to no repository.
inline constexpr const char* kCalibrationSuite = "kernelgate-calibration";

using CalibratedBenchmark = wire::CalibratedBenchmark;

struct Calibration {
  std::string commit;  // full hash
  int rule_version = 0;
  std::string program;
  Instant at{};
  std::vector<CalibratedBenchmark> benchmarks;
};

std::int64_t add_calibration(Connection& connection, RepositoryId repository, EpochId epoch,
                             const Calibration& calibration);
// The last one of the epoch; none if there never was one.
[[nodiscard]] std::optional<Calibration> last_calibration(Connection& connection, RepositoryId repository,
                                                          EpochId epoch);

// What counts for one benchmark.
struct CountingLimit {
  int degrees = 0;
  double detectable = 0;
  Instant at{};
};
[[nodiscard]] std::optional<CountingLimit> counting_limit(Connection& connection, RepositoryId repository,
                                                          const CalibratedBenchmark& of, EpochId epoch);

// The same by benchmarks.id; 0: never calibrated in this epoch.
[[nodiscard]] double detectable_shift(Connection& connection, std::int64_t benchmark, EpochId epoch);

}  // namespace kernelgate::db
