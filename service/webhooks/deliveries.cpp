// SPDX-License-Identifier: Apache-2.0
#include "service/webhooks/deliveries.hpp"

#include <utility>

#include "db/accounts/audit.hpp"
#include "service/webhooks/actions.hpp"

namespace kernelgate::service {

Status check_signer(Store store, const webhooks::Event& event, std::string_view signer, Instant now) {
  return store.read(
      [&](db::Connection& connection) { return check_signer(connection, {.event = event, .now = now}, signer); });
}

Result<TakenDelivery> take_delivery(Store store, const Delivery& delivery, const std::string& body,
                                    const webhooks::Event& event, int queued_max, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<TakenDelivery> {
    if (auto seen = db::see_delivery(connection, delivery.delivery, now);
        seen && seen->delivery.outcome != kRefusedOutcome)
      return TakenDelivery{.delivery = std::move(seen->delivery), .is_replay = true, .changed = {}};
    const auto done = carry_out(connection, {.event = event, .queued_max = queued_max, .now = now});
    if (!done) return pass_on(done);
    TakenDelivery out{.delivery = delivery, .is_replay = false, .changed = {}};
    out.delivery.outcome = done->outcome;
    out.delivery.status = 202;
    out.delivery.detail = done->detail;
    out.delivery.run = done->run;
    db::keep_delivery(connection, out.delivery, body, now);
    for (const RunId id : done->changed)
      if (auto run = db::get_run(connection, id)) out.changed.push_back(std::move(*run));
    return out;
  });
}

Status keep_refusal(Store store, const Delivery& refused, const std::string& body, Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    const auto before = db::see_delivery(connection, refused.delivery, now);
    if (!before || before->delivery.outcome == kRefusedOutcome) db::keep_delivery(connection, refused, body, now);
    return {};
  });
}

Result<DeliveryToRetry> retry_delivery(Store store, std::int64_t id, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<DeliveryToRetry> {
    const auto kept = db::get_delivery(connection, id);
    if (!kept) return pass_on(kept);
    if (kept->delivery.outcome != kRefusedOutcome)
      return fail(Errc::conflict,
                  "delivery " + std::to_string(id) + " was not refused: it was " + kept->delivery.outcome, "delivery",
                  "'kernelgate runs retry' measures a run again");
    auto body = db::delivery_body(connection, id);
    if (!body) return pass_on(body);
    db::log_action(
        connection,
        {.actor = actor, .action = "delivery.retry", .subject = "delivery " + std::to_string(id), .detail = {}}, now);
    DeliveryToRetry out{.delivery = {}, .body = std::move(*body)};
    out.delivery.delivery = kept->delivery.delivery;
    out.delivery.event = kept->delivery.event;
    return out;
  });
}

Result<std::vector<wire::Delivery>> list_deliveries(Store store, const std::string& outcome, const Page& page) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::Delivery> out;
    for (const db::KeptDelivery& kept : db::list_deliveries(connection, outcome, page))
      out.push_back(db::to_wire(kept));
    return out;
  });
}

Result<std::string> delivery_body(Store store, std::int64_t id) {
  return store.read([&](db::Connection& connection) { return db::delivery_body(connection, id); });
}

}  // namespace kernelgate::service
