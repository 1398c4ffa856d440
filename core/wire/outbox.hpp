// SPDX-License-Identifier: Apache-2.0
#pragma once

// What goes to forges and others (the outbox), and what came from them (deliveries of webhooks). Plain structs;
// codec_outbox.cpp turns them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/enum_words.hpp"
#include "core/units/time.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

using kernelgate::to_string;

// What of a run others are told.
enum class Phase { held, queued, building, measuring, finished };
void spelled_as_named(Phase);

// obsolete: a later message took its place.
enum class MessageStatus { pending, delivered, obsolete, gave_up };
void spelled_as_named(MessageStatus);

struct OutboxMessage {
  std::int64_t id = 0, run = 0;
  std::string target;
  Phase phase = Phase::queued;
  MessageStatus status = MessageStatus::pending;
  std::string delivery;  // the receiver knows a repetition by it
  int attempts = 0;
  Instant next_at{};
  std::string error;
  Instant created_at{};
  std::optional<Instant> ended_at;
};
// What a webhook of ours is sent when a run is finished.
struct RunWebhook {
  int schema = 1;
  std::string event = "run.finished";
  std::string delivery{}, url{};  // as the headers say; the run's page
  Run run{};                      // without comparisons
};
struct OutboxPage {
  std::vector<OutboxMessage> messages;  // newest first
  std::optional<std::string> next;
};

// already_seen: only of the answer to a repetition.
enum class DeliveryOutcome { queued, held, cancelled, noted, ignored, unknown_event, refused, already_seen };
void spelled_as_named(DeliveryOutcome);

struct Delivery {
  std::int64_t id = 0;
  std::string delivery;  // the forge's id
  std::string event, action, repository, sender;
  DeliveryOutcome outcome = DeliveryOutcome::queued;
  int status = 0;  // HTTP
  std::string detail;
  std::optional<std::int64_t> run;
  std::int64_t body_bytes = 0;
  int seen = 0;
  Instant received_at{}, last_seen_at{};
};
// What a webhook is answered.
struct WebhookReply {
  std::string delivery;
  DeliveryOutcome outcome = DeliveryOutcome::queued;
  std::string detail;
  std::optional<std::int64_t> run;
};
struct DeliveryPage {
  std::vector<Delivery> deliveries;  // newest first
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire
