// SPDX-License-Identifier: Apache-2.0
#pragma once

// The log of acts that change state: who did what to which thing, when, and why. Rows are never
// changed.

#include <string>
#include <vector>

#include "db/connection.hpp"
#include "db/page.hpp"

namespace kernelgate::db {

struct Act {
  std::string actor{};    // token name, runner, or "server"
  std::string act{};      // run.cancel, baseline.promote …
  std::string subject{};  // "run 12", "repository kernels"
  std::string detail{};
};
struct LoggedAct {
  std::int64_t id = 0;
  Instant at{};
  Act act;
};

void log_act(Connection& connection, const Act& act, Instant now);
[[nodiscard]] std::vector<LoggedAct> list_acts(Connection& connection, const Page& page = {});

}  // namespace kernelgate::db
