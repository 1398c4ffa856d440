// SPDX-License-Identifier: Apache-2.0
#pragma once

// Benchmarks that people or a calibration set aside, and those that come back. Private to service/; call inside a
// Database work.

#include <string>
#include <string_view>
#include <vector>

#include "db/baselines/quarantines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

inline constexpr std::string_view kByCalibration = "calibration";  // who, where nobody did it by hand

// invalid: no reason. not_found: no such benchmark was ever measured. conflict: one is in force. too_many. Logged as
// benchmark.quarantine.
[[nodiscard]] Result<db::QuarantineId> set_quarantine(db::Connection& connection, const db::NewQuarantine& wanted,
                                                      Instant now);

// invalid: no reason. not_found: none such of this repository. conflict: it was released before. Logged as
// benchmark.release.
[[nodiscard]] Status release_quarantine(db::Connection& connection, const db::QuarantineRelease& wanted, Instant now);

// To release one in force, where the last calibration since it began found the benchmark good; else empty.
[[nodiscard]] std::string suggestion_for(db::Connection& connection, const db::StoredQuarantine& quarantine);

// Sets aside what this calibration, which is stored already, found unstable and is not set aside there yet. Each as
// "suite: name: why".
[[nodiscard]] std::vector<std::string> quarantine_unstable(db::Connection& connection, RepositoryId repository,
                                                           EpochId epoch, const db::Calibration& calibration);

}  // namespace kernelgate::service
