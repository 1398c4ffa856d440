// SPDX-License-Identifier: Apache-2.0
#pragma once

// Comparisons of finished runs, and the pair variance they leave behind. Written by finish_run alone. They are read
// from the stored decision; the table's columns are what queries filter, sort and list by.

#include <optional>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/wire/messages.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// Of the run itself; empty for one without a decision of its own (unfinished, cancelled, reused). corrupt (DbError,
// naming run and document): the stored text cannot be decoded.
[[nodiscard]] RunDecision stored_decision(Connection& connection, RunId run);

// In the order of the decision, from position `from` (0-based), at most `limit`.
[[nodiscard]] std::vector<Comparison> list_comparisons(Connection& connection, RunId run, int from = 0,
                                                       int limit = 100000);

// Per benchmark of the repository in this epoch: sum of squares over degrees of freedom of the most
// recent comparisons, as many as together give at least 15 degrees; and what the last calibration
// of the epoch found to be detectable. A benchmark with neither has no entry.
[[nodiscard]] std::vector<StoredVariance> stored_variances(Connection& connection, RepositoryId repository,
                                                           EpochId epoch);

}  // namespace kernelgate::db
