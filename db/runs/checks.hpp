// SPDX-License-Identifier: Apache-2.0
#pragma once

// Check cases of finished runs; written by finish_run alone.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

// In the order the program printed them, from position `from`.
[[nodiscard]] std::vector<CheckCase> list_checks(Connection& connection, RunId run, int from = 0, int limit = 100000);

// Runs of the repository in which a check failed with this fingerprint, newest first.
[[nodiscard]] std::vector<RunId> runs_with_fingerprint(Connection& connection, RepositoryId repository,
                                                       std::string_view fingerprint, const Page& page = {});

}  // namespace kernelgate::db
