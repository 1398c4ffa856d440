// SPDX-License-Identifier: Apache-2.0
#pragma once

// Retention: raw samples of old runs become their quantiles. Verdicts, medians and histories stay as they are, and so
// do the process medians that verdicts rest on: a thinned run replays to the same figures, but for tails and modes.
// Baselines, present or replaced, and their sessions are never thinned.

#include <cstdint>
#include <string>

#include "core/wire/upkeep.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

struct ThinningWanted {
  Instant before{};  // runs that finished earlier
  bool dry_run = false;
  int runs_max = 0;  // 0: all
};
struct Thinned {
  std::int64_t runs = 0, series = 0;
  std::int64_t bytes = 0;  // of samples that are gone, or with dry_run would be
};
// `actor` did it: one line in the audit log, where anything was thinned. Call inside a Database work.
Thinned thin(db::Connection& connection, const ThinningWanted& wanted, const std::string& actor, Instant now);

// All of a store, in transactions so short that other writers do not wait; each is one action.
[[nodiscard]] Result<wire::PruneReply> thin_store(Store store, const ThinningWanted& wanted, const std::string& actor,
                                                  Instant now);

}  // namespace kernelgate::service
