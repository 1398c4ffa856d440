// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies of baselines in a later epoch of their testbed. Call inside a Database work.

#include <span>
#include <string>
#include <vector>

#include "core/wire/epochs.hpp"
#include "db/baselines/baselines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct CarrySource {
  BaselineId id;
  EpochId epoch;
  std::string name;
};
// The commit's present baselines of earlier epochs of the testbed of `to`, the newest of each name, where none of that
// name stands in a later one.
[[nodiscard]] std::vector<CarrySource> carry_sources(Connection& connection, RepositoryId repository,
                                                     const std::string& commit, EpochId to);

struct BaselineCopy {
  BaselineId source;
  EpochId to;
  std::string actor, reason;
};
// Without benchmarks.
[[nodiscard]] BaselineId copy_baseline(Connection& connection, const BaselineCopy& copy, Instant now);
// Gives the copy those of the source's benchmarks that have a figure. How many they are.
[[nodiscard]] int copy_benchmarks(Connection& connection, BaselineId source, BaselineId copy,
                                  std::span<const wire::EpochFigure> figures);
// One that has no benchmarks.
void drop_baseline(Connection& connection, BaselineId baseline);

}  // namespace kernelgate::db
