// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts: what was tried, what people note of it, and the report of it. Each note is logged under
// `actor`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/attempts.hpp"
#include "core/wire/tuning.hpp"
#include "db/store/page.hpp"
#include "service/runs/local.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

struct AttemptsWanted {
  std::string repository{};  // its name; empty: any
  std::string outcome{};     // "won,lost"; empty: any
  std::string since{};       // "7d", or a date; empty: any time
  std::string branch{};      // "attempt/*": those that begin so
  std::string suite{}, benchmark{}, text{};
};
// Newest first. not_found: no such repository. invalid: an unknown outcome, or no time.
[[nodiscard]] Result<std::vector<wire::Attempt>> list_attempts(Store store, const AttemptsWanted& wanted,
                                                               const Page& page, Instant now);
[[nodiscard]] Result<wire::Attempt> get_attempt(Store store, std::int64_t attempt);
[[nodiscard]] Result<wire::Attempt> note_attempt(Store store, const wire::AttemptNote& note, const std::string& actor,
                                                 Instant now);
[[nodiscard]] Result<wire::Attempt> change_attempt(Store store, std::int64_t attempt, const wire::AttemptChange& change,
                                                   const std::string& actor, Instant now);

// Points of a sweep that is about to start, so that the ledger knows of those that no run reaches.
[[nodiscard]] Status plan_points(Store store, const LocalRepository& repository, const std::string& commit,
                                 const std::string& suite, const std::vector<std::string>& points, Instant now);

// Whose attempt a note on a local store means where it names no repository: that of its run, the only one, or
// `usual`. invalid: the store has several and none of that name.
[[nodiscard]] Result<std::string> meant_repository(Store store, std::optional<std::int64_t> run,
                                                   const std::string& usual);

struct TuningWanted {
  std::string repository;         // its name
  std::string branch{}, since{};  // as AttemptsWanted has them
  bool of_address = false;        // with the other repositories of its address: a local store keeps `sweep` apart
};
[[nodiscard]] Result<wire::TuningReport> tuning_report(Store store, const TuningWanted& wanted, Instant now);

}  // namespace kernelgate::service
