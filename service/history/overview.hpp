// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of everything a server watches, in one answer each. not_found: no such repository.

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/decision/evidence/verdict.hpp"
#include "core/wire/overview.hpp"
#include "db/history/counts.hpp"
#include "db/outbox/outbox.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::OutboxCounts;

// `since`: what was spent from then on is counted.
[[nodiscard]] Result<wire::Overview> overview(Store store, Instant since, Instant now);

// Runs in which a failure of this fingerprint was found, newest first.
[[nodiscard]] Result<wire::Failures> failures_seen(Store store, std::string_view repository,
                                                   std::string_view fingerprint, int limit);

// What the default branch stands at: broken or regressed where it is on any testbed, else what the newest judged run
// came to; none: nothing there was judged yet.
[[nodiscard]] Result<std::optional<Conclusion>> branch_conclusion(Store store, std::string_view repository,
                                                                  Instant now);

struct StoreCounts {
  db::Counts rows;
  OutboxCounts outbox;
  std::size_t queued_writes = 0;  // that wait for the store
};
[[nodiscard]] Result<StoreCounts> count_store(Store store);
[[nodiscard]] Result<OutboxCounts> count_outbox(Store store);

}  // namespace kernelgate::service
