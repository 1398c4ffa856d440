// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gathers what a tuning report is made of: attempts, what landed beside them, suites, shapes, testbeds. core/ledger
// concludes. Private to service/; call inside a Database work.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/tuning.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

struct TuningQuery {
  std::vector<RepositoryId> repositories{};  // of one address: a local store keeps `local` and `sweep` apart
  std::string name{};                        // in the title
  std::string branch{};                      // "attempt/*": those that begin so; empty: all
  std::string since_text{};                  // as asked for, in the title
  std::optional<Instant> since{};
};
[[nodiscard]] wire::TuningReport gather_report(db::Connection& connection, const TuningQuery& query);

}  // namespace kernelgate::service
