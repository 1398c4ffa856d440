// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts of the whole store for /metrics.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "db/store/connection.hpp"

namespace kernelgate::db {

struct Counts {
  std::map<std::string, std::int64_t> runs_by_state;
  std::map<std::string, std::int64_t> runs_by_conclusion;
  std::int64_t jobs_queued = 0;
  std::int64_t jobs_leased = 0;
  std::optional<Instant> oldest_queued_at;
  std::int64_t processes = 0;
  std::int64_t series = 0;
  Bytes file;
};
[[nodiscard]] Counts count_all(Connection& connection);

}  // namespace kernelgate::db
