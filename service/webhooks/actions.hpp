// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an authentic webhook does to the store. Call inside a Database work, with what keeps its delivery.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"
#include "service/webhooks/event.hpp"

namespace kernelgate::service {

struct EventWork {
  const webhooks::Event& event;
  int queued_max = 0;  // runs of the repository
  Instant now{};
};
struct EventResult {
  std::string outcome;  // of db::Delivery
  std::string detail;
  std::optional<RunId> run{};
  std::vector<RunId> changed{};  // runs that others want to hear of
};

// See deliveries.hpp.
[[nodiscard]] Status check_signer(db::Connection& connection, const EventWork& work, std::string_view signer);

// not_found: no registered repository is the event's; conflict: two are.
[[nodiscard]] Result<EventResult> carry_out(db::Connection& connection, const EventWork& work);

}  // namespace kernelgate::service
