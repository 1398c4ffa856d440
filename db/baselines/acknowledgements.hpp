// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regressions that somebody accepted: who, when, why, how long, and at which level. One holds in the epoch of its run
// until it expires or is revoked; core/decision/explain/acknowledged.hpp says what it lets pass. Call inside a
// Database work.

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
  std::vector<AcceptedBenchmark> benchmarks;
};

// invalid: no regular expression, no reason, a time that is past. conflict: the run is not done, belongs to another
// repository or to an epoch that is over, none of its regressed benchmarks matches, or they are accepted already in the
// same words and for as long. Other words or another expiry replace that acceptance. Written to the audit log too.
[[nodiscard]] Result<AcknowledgementId> accept(Connection& connection, const Acceptance& acceptance, Instant now);

struct Revocation {
  RepositoryId repository;
  AcknowledgementId id;
  std::string actor{}, reason{};
};
// not_found: no such acknowledgement of this repository. conflict: it was revoked before. Written to the log too.
[[nodiscard]] Status revoke(Connection& connection, const Revocation& revoke, Instant now);

[[nodiscard]] Result<StoredAcknowledgement> get_acknowledgement(Connection& connection, AcknowledgementId id);
[[nodiscard]] std::vector<StoredAcknowledgement> list_acknowledgements(Connection& connection, RepositoryId repository,
                                                                       const Page& page = {});

[[nodiscard]] wire::AcknowledgementRecord to_wire(const StoredAcknowledgement& acknowledgement);
// `now`: from when the days count.
[[nodiscard]] Acceptance acceptance_of(const wire::AcceptRequest& request, RepositoryId repository,
                                       const std::string& actor, Instant now);

// What a run of this repository and epoch is judged with, the newest first.
[[nodiscard]] std::vector<Acknowledgement> acknowledgements_in_force(Connection& connection, RepositoryId repository,
                                                                     EpochId epoch, Instant now);

// Whether a finished run's verdict may still answer others: nothing that it rested on was accepted, revoked,
// expired, quarantined, released or, where a stored baseline judged, promoted since.
[[nodiscard]] bool verdict_stands(Connection& connection, RunId judged, Instant now);

}  // namespace kernelgate::db
