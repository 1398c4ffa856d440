// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regressions that somebody accepted: who, when, why, how long, and at which level. One holds in the epoch of its run
// until it expires or is revoked; of a pull request, it holds for that one's runs alone until it is merged.
// core/decision/explain/acknowledged.hpp says what it lets pass. Call inside a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/wire/baselines.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

using AcknowledgementId = Strong<struct AcknowledgementTag, std::int64_t>;

struct Acceptance {
  RepositoryId repository;
  RunId run;            // or one that was answered by it
  std::string match{};  // regular expression, searched in the names of the run's regressed benchmarks
  std::string actor{}, reason{};
  std::optional<Instant> expires_at{};
  std::optional<std::int64_t> pull_request{};  // that it holds for until it is merged; none: for every run
};

struct AcceptedBenchmark {
  std::string suite, benchmark;
  double ratio = 1, head_median_ns = 0;
};

struct StoredAcknowledgement {
  AcknowledgementId id;
  RepositoryId repository;
  RunId run;
  EpochId epoch;
  std::string match, actor, reason;
  Instant accepted_at{};
  std::optional<Instant> expires_at, revoked_at;
  std::string revoked_by, revoked_reason;
  std::optional<std::int64_t> pull_request;
  std::optional<Instant> merged_at;
  std::vector<AcceptedBenchmark> benchmarks;
};

struct RegressedBenchmark {
  std::int64_t row = 0;
  std::string name;
  double ratio = 1, head_median_ns = 0;
};
// As the run's comparisons have them, in their order.
[[nodiscard]] std::vector<RegressedBenchmark> regressed_benchmarks(Connection& connection, RunId run);

struct StandingAcceptance {
  AcknowledgementId id;
  std::string actor, reason;
  std::optional<Instant> expires_at;
  std::size_t benchmarks = 0;
};
// The newest one in force of this run and pull request that holds every one of these benchmarks.
[[nodiscard]] std::optional<StandingAcceptance> standing_acceptance(Connection& connection, const Acceptance& wanted,
                                                                    const std::vector<RegressedBenchmark>& regressed,
                                                                    Instant now);
// Of the run that was measured, which is of `epoch`.
[[nodiscard]] AcknowledgementId add_acknowledgement(Connection& connection, const Acceptance& acceptance, EpochId epoch,
                                                    const std::vector<RegressedBenchmark>& regressed, Instant now);

struct Revocation {
  RepositoryId repository;
  AcknowledgementId id;
  std::string actor{}, reason{};
};
void put_revocation(Connection& connection, const Revocation& revocation, Instant now);

[[nodiscard]] Result<StoredAcknowledgement> get_acknowledgement(Connection& connection, AcknowledgementId id);
[[nodiscard]] std::vector<StoredAcknowledgement> list_acknowledgements(Connection& connection, RepositoryId repository,
                                                                       const Page& page = {});

[[nodiscard]] wire::AcknowledgementRecord to_wire(const StoredAcknowledgement& acknowledgement);

// The pull request that an acceptance on this run speaks for: the run's own, or one that judged the same commit. None:
// there is no such, or the default branch has the commit.
[[nodiscard]] std::optional<std::int64_t> pull_request_of(Connection& connection, RunId run);

// The commit is on the default branch now: what was accepted on a pull request whose run of this very commit still
// shows the slowdown counts for every run from here on.
void note_merged(Connection& connection, RepositoryId repository, std::string_view commit, Instant now);

// What a run of this repository, epoch and pull request is judged with, the newest first.
[[nodiscard]] std::vector<Acknowledgement> acknowledgements_in_force(Connection& connection, RepositoryId repository,
                                                                     EpochId epoch,
                                                                     std::optional<std::int64_t> pull_request,
                                                                     Instant now);

// Whether a finished run's verdict may answer one of this pull request, or of none: nothing that it rested on was
// accepted, merged, revoked, expired, quarantined, released or, where a stored baseline judged, promoted since, and no
// acceptance holds for one of the two alone.
[[nodiscard]] bool verdict_stands(Connection& connection, RunId judged, std::optional<std::int64_t> pull_request,
                                  Instant now);

}  // namespace kernelgate::db
