// SPDX-License-Identifier: Apache-2.0
#pragma once

// Baselines across a change of the testbed: a commit's kept binaries were timed in the new epoch, so that its baselines
// stand there too, with the new times. Private to service/; call inside a Database work.

#include <span>
#include <string>

#include "core/wire/epochs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

struct Carry {
  RepositoryId repository;
  EpochId to;            // the testbed's present epoch
  std::string commit{};  // whose binaries were timed
  std::string actor{}, text{};
  std::span<const wire::EpochFigure> figures{};
};

// Copies the commit's present baselines of the testbed's earlier epochs, the newest of each name, into `to`, where none
// of that name stands. Benchmarks without a figure are left out; a baseline without any is not carried. How many were.
// Logged as baseline.carry.
[[nodiscard]] int carry_baselines(db::Connection& connection, const Carry& carry, Instant now);

}  // namespace kernelgate::service
