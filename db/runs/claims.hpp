// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each claim of a run carried. The server decides with the stored variances and sessions that the runner was
// given, not with those of a later moment. Call inside a Database work.

#include <span>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

void put_claim(Connection& connection, RunId run, int generation, std::span<const StoredVariance> variances,
               std::span<const StoredSessions> sessions = {});
// Empty where this generation was never claimed. corrupt (DbError): the stored text is damaged.
[[nodiscard]] std::vector<StoredVariance> claim_variances(Connection& connection, RunId run, int generation);
[[nodiscard]] std::vector<StoredSessions> claim_sessions(Connection& connection, RunId run, int generation);

}  // namespace kernelgate::db
