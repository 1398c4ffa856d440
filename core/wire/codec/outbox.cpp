// SPDX-License-Identifier: Apache-2.0
// The outbox and the deliveries of webhooks.
#include "core/wire/outbox.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<OutboxMessage> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("run", m.run);
  v.must("target", m.target, "github-status, github-check, github-comment, gitlab-status, webhook:NAME or chat:NAME");
  v.must("phase", m.phase);
  v.must("status", m.status, "obsolete: a later one took its place");
  v.must("delivery", m.delivery, "The same for each attempt; a webhook's receiver finds it in X-Kernelgate-Delivery");
  v.must("attempts", m.attempts);
  v.must("next_at", m.next_at, "Not tried before");
  v.may("error", m.error, "Of the last attempt; empty if it went well");
  v.must("created_at", m.created_at);
  v.may("ended_at", m.ended_at);
}

template <class V, Describes<RunWebhook> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("event", m.event);
  v.must("delivery", m.delivery);
  v.must("url", m.url);
  v.must("run", m.run);
}

template <class V, Describes<OutboxPage> M>
void fields(V& v, M& m) {
  v.must("messages", m.messages, "newest first");
  v.may("next", m.next);
}

template <class V, Describes<Delivery> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("delivery", m.delivery, "the forge's id");
  v.must("event", m.event);
  v.may("action", m.action);
  v.may("repository", m.repository);
  v.may("sender", m.sender);
  v.must("outcome", m.outcome);
  v.must("status", m.status, "HTTP");
  v.may("detail", m.detail);
  v.may("run", m.run);
  v.must("body_bytes", m.body_bytes);
  v.must("seen", m.seen);
  v.must("received_at", m.received_at);
  v.must("last_seen_at", m.last_seen_at);
}

template <class V, Describes<DeliveryPage> M>
void fields(V& v, M& m) {
  v.must("deliveries", m.deliveries, "newest first");
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
KG_WIRE_CODEC(RunWebhook);
KG_WIRE_CODEC(OutboxPage);
KG_WIRE_CODEC(Delivery);
KG_WIRE_CODEC(DeliveryPage);
KG_WIRE_CODEC(WebhookReply);

}  // namespace kernelgate::wire
