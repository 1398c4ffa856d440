// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows that a tuning report is made of. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/tuning.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// All repositories of the store with the same address as this one, itself first.
[[nodiscard]] std::vector<RepositoryId> same_address(Connection& connection, RepositoryId repository);

struct RunTestbed {
  EpochId epoch;
  wire::TuningTestbed testbed;  // of no runs
};
[[nodiscard]] std::optional<RunTestbed> testbed_of(Connection& connection, RunId run);

struct RunCase {
  std::string suite, name;
};
// Those that were compared. A failed check stands among the comparisons under its case's name: it is no benchmark.
[[nodiscard]] std::vector<RunCase> benchmarks_of(Connection& connection, RunId run);
// Those that were checked.
[[nodiscard]] std::vector<RunCase> shapes_of(Connection& connection, RunId run);

}  // namespace kernelgate::db
