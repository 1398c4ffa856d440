// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looking for the commit that changed a benchmark, and runs of commits that were never measured. Each is logged under
// `actor`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/bisections.hpp"
#include "db/runs/runs.hpp"
#include "db/store/page.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

[[nodiscard]] Result<std::vector<wire::Bisection>> list_bisections(Store store, std::string_view repository,
                                                                   const Page& page);
[[nodiscard]] Result<wire::Bisection> get_bisection(Store store, std::int64_t bisection);

// Queues its first step; each step that ends queues the next. invalid: what is wrong with the line.
[[nodiscard]] Result<wire::Bisection> start_bisection(Store store, const wire::BisectionRequest& wanted, int queued_max,
                                                      const std::string& actor, Instant now);
struct CancelledBisection {
  wire::Bisection bisection;
  std::optional<db::Run> run;  // that was under way, cancelled with it
};
[[nodiscard]] Result<CancelledBisection> cancel_bisection(Store store, std::int64_t bisection, const std::string& actor,
                                                          Instant now);

[[nodiscard]] Result<wire::BackfillReply> backfill(Store store, const wire::BackfillRequest& wanted, int queued_max,
                                                   const std::string& actor, Instant now);
// Indices into a line of full hashes, newest first. not_found: no such repository.
[[nodiscard]] Result<std::vector<std::size_t>> never_measured(Store store, std::string_view repository,
                                                              const std::vector<std::string>& line);

}  // namespace kernelgate::service
