// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attempts with what others are like them: by a failure, by the change, by the machine code; and what the ledger says
// of that. Private to service/; call inside a Database work.

#include <string>
#include <vector>

#include "core/wire/attempts.hpp"
#include "core/wire/messages.hpp"
#include "db/ledger/attempts.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// Narrows to a branch as people write it: "attempt/*" are those that begin so; empty: any.
void narrow_to_branch(db::AttemptFilter& filter, const std::string& branch);
// Newest first.
[[nodiscard]] std::vector<wire::Attempt> whole_attempts(db::Connection& connection, const db::AttemptFilter& filter,
                                                        const db::Page& page = {});
[[nodiscard]] Result<wire::Attempt> whole_attempt(db::Connection& connection, db::AttemptId id);

// What the ledger says about a run: the same failure elsewhere, the same change or machine code tried before.
[[nodiscard]] std::vector<std::string> attempt_notices(db::Connection& connection, RunId run);

// A run as the API gives it out: with what the ledger says, and with its comparisons, workloads and regions, or those
// of the run whose verdict it reuses.
[[nodiscard]] Result<wire::Run> whole_run(db::Connection& connection, RunId id);

}  // namespace kernelgate::service
