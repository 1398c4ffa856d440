// SPDX-License-Identifier: Apache-2.0
#pragma once

// The audit log of a server or a store: who did what to which thing, when, and why. Reads only; blocks.

#include <optional>
#include <string>
#include <vector>

#include "commands/browse/target.hpp"
#include "commands/output/report.hpp"
#include "core/units/time.hpp"
#include "core/wire/accounts.hpp"

namespace kernelgate::browse {

struct ActionsWanted {  // empty: any
  std::string actor{};
  std::string action{};  // run.cancel, or a family of them: run
  std::string subject{};
  std::optional<Instant> since{};
  int limit = 50;
};
// Newest first.
[[nodiscard]] Result<std::vector<wire::LoggedAction>> list_actions(const Target& target, const ActionsWanted& wanted);

[[nodiscard]] std::string to_table(const std::vector<wire::LoggedAction>& actions, const report::TableStyle& style);
// {"schema":1,"actions":[LoggedAction …]}
[[nodiscard]] std::string to_json(const std::vector<wire::LoggedAction>& actions);

}  // namespace kernelgate::browse
