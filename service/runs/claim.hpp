// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who works on a queued run, from the claim to its release or loss. A claim stores what it carried: the run is decided
// with that.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/messages.hpp"
#include "db/runs/runs.hpp"
#include "service/runs/lease.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

struct Claimer {
  std::int64_t token = 0;  // the lease is worth something under this one alone
  std::string actor{};
  std::chrono::seconds lease = limits::kLeaseDuration;
};
struct Claimed {
  db::Run run;
  wire::Claim claim;  // everything the runner must know, with the lease's secret
};
// The oldest queued run that fits, or none. Logged as run.claim.
[[nodiscard]] Result<std::optional<Claimed>> claim(Store store, const wire::ClaimRequest& wanted,
                                                   const Claimer& claimer, const Clock& clock);

struct Beat {
  db::Run run;
  bool cancelled = false;  // the runner stops
};
// Renews the lease and keeps what the runner says of its progress.
[[nodiscard]] Result<Beat> heartbeat(Store store, RunId run, const Holder& holder, RunState state,
                                     const std::string& progress, Instant lease_until);

// Back to the queue by its holder, who could not do it. Logged as run.release.
[[nodiscard]] Result<db::Run> release(Store store, RunId run, const Holder& holder, const std::string& reason,
                                      Instant now);

// Runs whose runner was lost: queued again, or ended as infrastructure after limits::kClaimAttemptsMax. Logged.
[[nodiscard]] Result<std::vector<db::Run>> expire_leases(Store store, const Clock& clock);
// After the server itself was away: every lease ends at `until`.
[[nodiscard]] Status extend_leases(Store store, Instant until);

}  // namespace kernelgate::service
