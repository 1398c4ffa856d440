// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts. A row is made or brought up to date when a run off the default branch, of a work tree or of a
// sweep's point ends: finish_run, finish_reused and cancel_run do that in their own transaction. People add hypotheses
// and lessons. Call inside a Database work.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ledger/outcome.hpp"
#include "core/units/limits.hpp"
#include "core/wire/attempts.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

using AttemptId = Strong<struct AttemptTag, std::int64_t>;

// What is known of an unfinished run besides its commit.
struct AttemptFacts {
  std::string hypothesis{}, patch_id{};
  std::string suite{}, point{};  // of a sweep: "BLOCK_M=64 STAGES=2"
  bool is_reference = false;     // the point that others are compared with
};
// Added to what is known already: an empty text never overwrites one.
void put_attempt_facts(Connection& connection, RunId run, const AttemptFacts& facts);

// Brings the ledger up to date with a finished run: nothing to do for a run that is no attempt, or that it knows.
void record_attempt(Connection& connection, RunId run);

// Points of a sweep that is about to start; those that the ledger knows are left as they are.
struct PlannedPoints {
  RepositoryId repository;
  std::string commit{}, suite{};
  std::vector<std::string> points{};
};
void plan_points(Connection& connection, const PlannedPoints& planned, Instant now);

struct AttemptFilter {
  std::optional<RepositoryId> repository{};
  std::vector<ledger::Outcome> outcomes{};  // empty: any
  std::string branch{};                     // "attempt/*": those that begin so
  std::optional<Instant> since{};           // tried (or, not yet tried, noted) since
  std::string suite{}, benchmark{};         // among the benchmarks that its runs compared
  std::string text{};                       // in branch, subject, point, hypothesis, lesson or detail
};
// Newest first.
[[nodiscard]] std::vector<wire::Attempt> list_attempts(Connection& connection, const AttemptFilter& filter,
                                                       const Page& page = {});
[[nodiscard]] Result<wire::Attempt> get_attempt(Connection& connection, AttemptId id);
[[nodiscard]] std::optional<AttemptId> attempt_of_run(Connection& connection, RunId run);
// What the ledger says about a run: the same failure elsewhere, the same change or machine code tried before.
[[nodiscard]] std::vector<std::string> attempt_notices(Connection& connection, RunId run);

// Notes on a run's attempt (which makes any run one), or an idea that no run has tried. Logged as attempt.note.
// invalid: neither words nor what they are about. not_found: no such run of the repository.
[[nodiscard]] Result<AttemptId> note_attempt(Connection& connection, const wire::AttemptNote& note,
                                             std::string_view actor, Instant now);
// Logged as attempt.change.
[[nodiscard]] Status change_attempt(Connection& connection, AttemptId id, const wire::AttemptChange& change,
                                    std::string_view actor, Instant now);

// Of the device, as the runner named it with the run's last process.
[[nodiscard]] std::optional<double> price_per_hour(Connection& connection, RunId run);

}  // namespace kernelgate::db
