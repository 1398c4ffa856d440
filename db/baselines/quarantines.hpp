// SPDX-License-Identifier: Apache-2.0
#pragma once

// Benchmarks that are set aside as too unstable to decide: by hand, in every epoch; by a calibration, in its epoch. One
// is in force until it is released. core/decision/explain/quarantined.hpp says what that means for a run. Call inside a
// Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/wire/upkeep.hpp"
#include "db/baselines/calibrations.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

using QuarantineId = Strong<struct QuarantineTag, std::int64_t>;

struct NewQuarantine {
  RepositoryId repository;
  std::string suite{}, benchmark{};
  std::optional<EpochId> epoch{};  // none: every one
  std::string actor{}, reason{};
};
[[nodiscard]] QuarantineId add_quarantine(Connection& connection, const NewQuarantine& one, std::int64_t benchmark,
                                          Instant now);
// The benchmark's row, if it was ever measured.
[[nodiscard]] std::optional<std::int64_t> find_benchmark(Connection& connection, RepositoryId repository,
                                                         std::string_view suite, std::string_view name);
// The one in force that covers this epoch; without an epoch: any.
[[nodiscard]] std::optional<QuarantineId> covering_quarantine(Connection& connection, std::int64_t benchmark,
                                                              std::optional<EpochId> epoch);
// Those in force.
[[nodiscard]] std::int64_t count_quarantines(Connection& connection, RepositoryId repository);

struct QuarantineRelease {
  RepositoryId repository;
  QuarantineId id;
  std::string actor{}, reason{};
};
void put_release(Connection& connection, const QuarantineRelease& release, Instant now);

struct StoredQuarantine {
  QuarantineId id;
  RepositoryId repository;
  std::string suite, benchmark;
  std::optional<EpochId> epoch;
  std::string actor, reason;
  Instant began_at{};
  std::optional<Instant> released_at;
  std::string released_by, released_reason;
};
[[nodiscard]] Result<StoredQuarantine> get_quarantine(Connection& connection, QuarantineId id);
// Newest first; `released`: those too that are in force no longer.
[[nodiscard]] std::vector<StoredQuarantine> list_quarantines(Connection& connection, RepositoryId repository,
                                                             bool released, const Page& page = {});
[[nodiscard]] wire::QuarantineRecord to_wire(const StoredQuarantine& quarantine);

// What a run of this repository and epoch is judged with.
[[nodiscard]] std::vector<Quarantine> quarantines_in_force(Connection& connection, RepositoryId repository,
                                                           std::optional<EpochId> epoch);

// The last calibration of the benchmark against itself since the quarantine began, in its epoch if it has one.
struct LaterTrial {
  CalibratedBenchmark found;
  double detectable = 0;  // as runs take it
  Instant at{};
};
[[nodiscard]] std::optional<LaterTrial> later_trial(Connection& connection, const StoredQuarantine& quarantine);

}  // namespace kernelgate::db
