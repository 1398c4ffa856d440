// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts: a line for each run off the default branch, of a work tree or of a sweep's point, with what
// people noted. Call inside a Database work.

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

struct AttemptFilter {
  std::optional<RepositoryId> repository{};
  std::vector<ledger::Outcome> outcomes{};  // empty: any
  std::string branch{};                     // the whole name,
  std::string branch_prefix{};              // or how it begins
  std::optional<Instant> since{};           // tried (or, not yet tried, noted) since
  std::string suite{}, benchmark{};         // among the benchmarks that its runs compared
  std::string text{};                       // in branch, subject, point, hypothesis, lesson or detail
};
// Newest first; without what other attempts say of each.
[[nodiscard]] std::vector<wire::Attempt> list_attempts(Connection& connection, const AttemptFilter& filter,
                                                       const Page& page = {});
[[nodiscard]] Result<wire::Attempt> get_attempt(Connection& connection, AttemptId id);
[[nodiscard]] std::optional<AttemptId> attempt_of_run(Connection& connection, RunId run);

// Of the device, as the runner named it with the run's last process.
[[nodiscard]] std::optional<double> price_per_hour(Connection& connection, RunId run);

}  // namespace kernelgate::db
