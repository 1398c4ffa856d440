// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentic webhooks: each is done once, and kept with what became of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/outbox.hpp"
#include "db/outbox/deliveries.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"
#include "service/webhooks/event.hpp"

namespace kernelgate::service {

using db::Delivery;
using db::Run;

// The outcome of a delivery that may be tried again.
inline constexpr std::string_view kRefusedOutcome = "refused";

// Whether whoever signed it may speak of what the event is about: a repository's own secret of that repository alone,
// the server's (`signer` empty) of all that have none of their own. forbidden: it may not.
[[nodiscard]] Status check_signer(Store store, const webhooks::Event& event, std::string_view signer, Instant now);

struct TakenDelivery {
  Delivery delivery;         // with what became of it; of a replay, what became of the first
  bool is_replay = false;    // nothing was done
  std::vector<Run> changed;  // runs that others want to hear of
};
// Does what the event asks for, unless this delivery did so before. Errors: what is wrong with the event; then nothing
// is kept.
[[nodiscard]] Result<TakenDelivery> take_delivery(Store store, const Delivery& delivery, const std::string& body,
                                                  const webhooks::Event& event, int queued_max, Instant now);
// Keeps the refusal, unless the delivery did its work before; sent once more, it is tried once more.
[[nodiscard]] Status keep_refusal(Store store, const Delivery& refused, const std::string& body, Instant now);

struct DeliveryToRetry {
  Delivery delivery;
  std::string body;
};
// Logged as delivery.retry before it is tried, for it is tried whatever comes of it. conflict: it was not refused.
[[nodiscard]] Result<DeliveryToRetry> retry_delivery(Store store, std::int64_t id, const std::string& actor,
                                                     Instant now);

// Newest first; `outcome` empty: any.
[[nodiscard]] Result<std::vector<wire::Delivery>> list_deliveries(Store store, const std::string& outcome,
                                                                  const Page& page);
[[nodiscard]] Result<std::string> delivery_body(Store store, std::int64_t id);

}  // namespace kernelgate::service
