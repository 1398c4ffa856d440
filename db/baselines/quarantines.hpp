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

inline constexpr std::string_view kByCalibration = "calibration";  // who, where nobody did it by hand

struct NewQuarantine {
  RepositoryId repository;
  std::string suite{}, benchmark{};
  std::optional<EpochId> epoch{};  // none: every one
  std::string actor{}, reason{};
};
// invalid: no reason. not_found: no such benchmark was ever measured. conflict: one is in force. too_many. Written to
// the audit log, as are all below.
[[nodiscard]] Result<QuarantineId> set_quarantine(Connection& connection, const NewQuarantine& wanted, Instant now);

struct QuarantineRelease {
  RepositoryId repository;
  QuarantineId id;
  std::string actor{}, reason{};
};
// invalid: no reason. not_found: none such of this repository. conflict: it was released before.
[[nodiscard]] Status release_quarantine(Connection& connection, const QuarantineRelease& wanted, Instant now);

struct StoredQuarantine {
  QuarantineId id;
  std::string suite, benchmark;
  std::optional<EpochId> epoch;
  std::string actor, reason;
  Instant began_at{};
  std::optional<Instant> released_at;
  std::string released_by, released_reason;
  std::string suggestion;  // not empty: a calibration since then found the benchmark good, in words
};
[[nodiscard]] Result<StoredQuarantine> get_quarantine(Connection& connection, QuarantineId id);
// Newest first; `released`: those too that are in force no longer.
[[nodiscard]] std::vector<StoredQuarantine> list_quarantines(Connection& connection, RepositoryId repository,
                                                             bool released, const Page& page = {});
[[nodiscard]] wire::QuarantineRecord to_wire(const StoredQuarantine& quarantine);

// What a run of this repository and epoch is judged with.
[[nodiscard]] std::vector<Quarantine> quarantines_in_force(Connection& connection, RepositoryId repository,
                                                           std::optional<EpochId> epoch);

// Sets aside what this calibration, which is stored already, found unstable and is not set aside there yet. Each as
// "suite: name: why".
[[nodiscard]] std::vector<std::string> quarantine_unstable(Connection& connection, RepositoryId repository,
                                                           EpochId epoch, const Calibration& calibration);

}  // namespace kernelgate::db
