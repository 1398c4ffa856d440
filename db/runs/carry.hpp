// SPDX-License-Identifier: Apache-2.0
#pragma once

// Baselines across a change of the testbed: a commit's kept binaries were timed in the new epoch, so that its baselines
// stand there too, with the new times. Call inside a Database work.

#include <span>
#include <string>

#include "core/wire/epochs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct Carry {
  RepositoryId repository;
  EpochId to;            // the testbed's present epoch
  std::string commit{};  // whose binaries were timed
  std::string actor{}, text{};
  std::span<const wire::EpochFigure> figures{};
};

// Copies the commit's present baselines of the testbed's earlier epochs, the newest of each name, into `to`, where none
// of that name stands. Benchmarks without a figure are left out; a baseline without any is not carried. How many were.
// Written to the audit log.
[[nodiscard]] int carry_baselines(Connection& connection, const Carry& carry, Instant now);

}  // namespace kernelgate::db
