// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is done with baselines, by the name of their repository: promote, time anew, compare, carry from store to store.
// Each action is logged under `actor`. not_found: no such repository.

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/baselines.hpp"
#include "core/wire/epochs.hpp"
#include "core/wire/upkeep.hpp"
#include "db/baselines/baselines.hpp"
#include "db/runs/runs.hpp"
#include "service/baselines/sessions.hpp"
#include "service/runs/lease.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::Baseline;

[[nodiscard]] Result<std::vector<Baseline>> list_baselines(Store store, std::string_view repository, const Page& page);
[[nodiscard]] Result<Baseline> get_baseline(Store store, BaselineId baseline);

// invalid: the run is one of another repository. conflict: what promote_run says.
[[nodiscard]] Result<Baseline> promote(Store store, const wire::Promotion& wanted, const std::string& actor,
                                       Instant now);

// Present baselines that a session could time; `name` empty: any. not_found: there is none.
[[nodiscard]] Result<std::vector<Remeasurable>> remeasurable(Store store, std::string_view repository,
                                                             const std::string& name);
struct QueuedSessions {
  wire::RemeasureReply reply;
  std::vector<db::Run> runs;
};
// Queues one session of each. Logged as baseline.remeasure.
[[nodiscard]] Result<QueuedSessions> queue_sessions(Store store, const wire::RemeasureRequest& wanted, int queued_max,
                                                    const std::string& actor, Instant now);

[[nodiscard]] Result<wire::BaselineDiff> diff_baselines(Store store, std::string_view repository, const std::string& a,
                                                        const std::string& b);
// As JSON lines. `program`: version line of ours.
[[nodiscard]] Result<std::string> export_baselines(Store store, std::string_view repository, const std::string& name,
                                                   const std::string& program);
[[nodiscard]] Result<wire::ImportReply> import_baselines(Store store, std::string_view repository,
                                                         const std::string& testbed, const std::string& lines,
                                                         const std::string& actor, Instant now);

// The commit's kept binaries were timed in the run's epoch: its baselines stand there too. How many were carried.
[[nodiscard]] Result<int> carry_baselines(Store store, RunId run, const wire::EpochUpload& upload, const Holder& holder,
                                          Instant now);

// Raw samples of old runs become quantiles.
[[nodiscard]] Result<wire::PruneReply> prune(Store store, const wire::PruneRequest& wanted, const std::string& actor,
                                             Instant now);

}  // namespace kernelgate::service
