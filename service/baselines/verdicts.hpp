// SPDX-License-Identifier: Apache-2.0
#pragma once

// What people decide about benchmarks: slowdowns that they accept, and benchmarks whose verdicts do not count. By the
// name of the repository; each action is logged under `actor`. not_found: no such repository, or no such record of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/baselines.hpp"
#include "core/wire/calibrations.hpp"
#include "core/wire/upkeep.hpp"
#include "db/store/page.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

[[nodiscard]] Result<std::vector<wire::AcknowledgementRecord>> list_acknowledgements(Store store,
                                                                                     std::string_view repository,
                                                                                     const Page& page);
[[nodiscard]] Result<wire::AcknowledgementRecord> accept(Store store, const wire::AcceptRequest& wanted,
                                                         const std::string& actor, Instant now);
[[nodiscard]] Result<wire::AcknowledgementRecord> revoke(Store store, std::int64_t acknowledgement,
                                                         const wire::RevokeAcceptanceRequest& wanted,
                                                         const std::string& actor, Instant now);

// `released`: those that are over too.
[[nodiscard]] Result<std::vector<wire::QuarantineRecord>> list_quarantines(Store store, std::string_view repository,
                                                                           bool released, const Page& page);
[[nodiscard]] Result<wire::QuarantineRecord> quarantine(Store store, const wire::QuarantineRequest& wanted,
                                                        const std::string& actor, Instant now);
[[nodiscard]] Result<wire::QuarantineRecord> release_quarantine(Store store, std::int64_t quarantine,
                                                                const wire::ReleaseRequest& wanted,
                                                                const std::string& actor, Instant now);

}  // namespace kernelgate::service
