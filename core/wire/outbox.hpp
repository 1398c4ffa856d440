// SPDX-License-Identifier: Apache-2.0
#pragma once

// What goes to forges and others (the outbox), and what came from them (deliveries of webhooks). Plain structs;
// codec_outbox.cpp turns them into JSON and back. Instants are ISO 8601 texts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelgate::wire {

struct OutboxMessage {
  std::int64_t id = 0, run = 0;
  std::string target, phase;
  std::string status;    // pending, delivered, obsolete, gave_up
  std::string delivery;  // the receiver knows a repetition by it
  int attempts = 0;
  std::string next_at, error, created_at;
  std::optional<std::string> ended_at;
};
struct OutboxPage {
  std::vector<OutboxMessage> messages;  // newest first
  std::optional<std::string> next;
};

struct Delivery {
  std::int64_t id = 0;
  std::string delivery;  // the forge's id
  std::string event, action, repository, sender;
  std::string outcome;  // queued, held, cancelled, noted, ignored, unknown_event, refused
  int status = 0;       // HTTP
  std::string detail;
  std::optional<std::int64_t> run;
  std::int64_t body_bytes = 0;
  int seen = 0;
  std::string received_at, last_seen_at;
};
// What a webhook is answered.
struct WebhookReply {
  std::string delivery, outcome, detail;
  std::optional<std::int64_t> run;
};
struct DeliveryPage {
  std::vector<Delivery> deliveries;  // newest first
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire
