// SPDX-License-Identifier: Apache-2.0
#pragma once

// Retention: raw samples of old runs become their quantiles. Verdicts, medians and histories stay as they are, and so
// do the process medians that verdicts rest on: a thinned run replays to the same figures, but for tails and modes.
// Baselines, present or replaced, and their sessions are never thinned. Call thin inside a Database work.

#include <span>
#include <string>
#include <vector>

#include "core/wire/upkeep.hpp"
#include "db/store/connection.hpp"
#include "db/store/database.hpp"

namespace kernelgate::db {

// Least, quartiles, largest; of an even number both middle ones, so that their median is what it was. Five or six
// values at most; as few or fewer come back as they are. Each finite.
[[nodiscard]] std::vector<double> thinned(std::span<const double> samples);

struct ThinningWanted {
  Instant before{};  // runs that finished earlier
  bool dry_run = false;
  int runs_max = 0;  // 0: all
};
struct Thinned {
  std::int64_t runs = 0, series = 0;
  std::int64_t bytes = 0;  // of samples that are gone, or with dry_run would be
};
// `who` did it: one line in the audit log, where anything was thinned.
Thinned thin(Connection& connection, const ThinningWanted& wanted, const std::string& actor, Instant now);

// All of a store, in transactions so short that other writers do not wait; each is one action. Not inside a Database
// work.
[[nodiscard]] Result<wire::PruneReply> thin_store(Database& database, const ThinningWanted& wanted,
                                                  const std::string& actor, Instant now);

}  // namespace kernelgate::db
