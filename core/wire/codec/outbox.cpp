// SPDX-License-Identifier: Apache-2.0
// The outbox and the deliveries of webhooks.
#include "core/wire/outbox.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<OutboxMessage> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("run", m.run);
  v.must("target", m.target);
  v.must("phase", m.phase);
  v.must("status", m.status);
  v.must("delivery", m.delivery);
  v.must("attempts", m.attempts);
  v.must("next_at", m.next_at);
  v.may("error", m.error);
  v.must("created_at", m.created_at);
  v.may("ended_at", m.ended_at);
}

template <class V, Describes<OutboxPage> M>
void fields(V& v, M& m) {
  v.must("messages", m.messages);
  v.may("next", m.next);
}

template <class V, Describes<Delivery> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("delivery", m.delivery);
  v.must("event", m.event);
  v.may("action", m.action);
  v.may("repository", m.repository);
  v.may("sender", m.sender);
  v.must("outcome", m.outcome);
  v.must("status", m.status);
  v.may("detail", m.detail);
  v.may("run", m.run);
  v.must("body_bytes", m.body_bytes);
  v.must("seen", m.seen);
  v.must("received_at", m.received_at);
  v.must("last_seen_at", m.last_seen_at);
}

template <class V, Describes<DeliveryPage> M>
void fields(V& v, M& m) {
  v.must("deliveries", m.deliveries);
  v.may("next", m.next);
}

template <class V, Describes<WebhookReply> M>
void fields(V& v, M& m) {
  v.must("delivery", m.delivery);
  v.must("outcome", m.outcome);
  v.may("detail", m.detail);
  v.may("run", m.run);
}

KG_WIRE_CODEC(OutboxMessage);
KG_WIRE_CODEC(OutboxPage);
KG_WIRE_CODEC(DeliveryPage);
KG_WIRE_CODEC(WebhookReply);

}  // namespace kernelgate::wire
