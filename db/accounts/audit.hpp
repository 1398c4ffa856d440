// SPDX-License-Identifier: Apache-2.0
#pragma once

// The audit log that change state: who did what to which thing, when, and why. Rows are never
// changed.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/accounts.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Act {
  std::string actor{};    // token name, runner, or "server"
  std::string act{};      // run.cancel, baseline.promote …
  std::string subject{};  // "run 12", "repository kernels"
  std::string detail{};
};
struct LoggedAction {
  std::int64_t id = 0;
  Instant at{};
  Act act;
};

struct ActFilter {  // empty: any
  std::string actor{};
  std::string act{};  // run.cancel, or a family of them: run
  std::string subject{};
  std::optional<Instant> since{};
};

void log_action(Connection& connection, const Act& act, Instant now);
[[nodiscard]] std::vector<LoggedAction> list_actions(Connection& connection, const Page& page = {},
                                                     const ActFilter& filter = {});
[[nodiscard]] wire::LoggedAction to_wire(const LoggedAction& act);

}  // namespace kernelgate::db
