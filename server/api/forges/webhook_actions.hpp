// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an authentic webhook does to the store, in one transaction with the delivery that is kept of it.

#include <string>
#include <vector>

#include "db/outbox/deliveries.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/context.hpp"
#include "server/webhooks/event.hpp"

namespace kernelgate::api {

struct ActOn {
  const webhooks::Event& event;
  const Settings& settings;
  Instant now;
};
struct Acted {
  std::string outcome;  // of db::Delivery
  std::string detail;
  std::optional<RunId> run{};
  std::vector<RunId> changed{};  // runs that others want to hear of
};

// The registered repository that the event is about. not_found: none; conflict: two.
[[nodiscard]] Result<db::Repository> repository_of(db::Connection& connection, const ActOn& on);

[[nodiscard]] Result<Acted> act(db::Connection& connection, const ActOn& on);

}  // namespace kernelgate::api
