// SPDX-License-Identifier: Apache-2.0
#pragma once

// The audit log: who did what to which thing, when, and why. Rows are never changed.

#include <optional>
#include <string>
#include <vector>

#include "core/wire/accounts.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Action {
  std::string actor{};    // token name, runner, or "server"
  std::string action{};   // run.cancel, baseline.promote …
  std::string subject{};  // "run 12", "repository kernels"
  std::string detail{};
};
struct LoggedAction {
  std::int64_t id = 0;
  Instant at{};
  Action action;
};

struct ActionFilter {  // empty: any
  std::string actor{};
  std::string action{};  // run.cancel, or a family of them: run
  std::string subject{};
  std::optional<Instant> since{};
};

void log_action(Connection& connection, const Action& action, Instant now);
[[nodiscard]] std::vector<LoggedAction> list_actions(Connection& connection, const Page& page = {},
                                                     const ActionFilter& filter = {});
[[nodiscard]] wire::LoggedAction to_wire(const LoggedAction& logged);

}  // namespace kernelgate::db
