// SPDX-License-Identifier: Apache-2.0
#pragma once

// How runs become lines of the ledger: those off the default branch, of work trees and of a sweep's points. Private to
// service/; call inside a Database work.

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/attempts.hpp"
#include "db/ledger/attempts.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// Brings the ledger up to date with a finished run: nothing to do for a run that is no attempt, or that it knows.
void record_attempt(db::Connection& connection, RunId run);

// Points of a sweep that is about to start; those that the ledger knows are left as they are.
struct PlannedPoints {
  RepositoryId repository;
  std::string commit{}, suite{};
  std::vector<std::string> points{};
};
void plan_points(db::Connection& connection, const PlannedPoints& planned, Instant now);

// Notes on a run's attempt (which makes any run one), or an idea that no run has tried. Logged as attempt.note.
// invalid: neither words nor what they are about. not_found: no such run of the repository.
[[nodiscard]] Result<db::AttemptId> note_attempt(db::Connection& connection, const wire::AttemptNote& note,
                                                 std::string_view actor, Instant now);
// Logged as attempt.change.
[[nodiscard]] Status change_attempt(db::Connection& connection, db::AttemptId id, const wire::AttemptChange& change,
                                    std::string_view actor, Instant now);

// Of a finished or unfinished run, whatever its branch; made where there is none.
[[nodiscard]] db::AttemptId force_attempt(db::Connection& connection, RunId run, Instant now);

}  // namespace kernelgate::service
