// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a server tells forges and others (its outbox), and the webhooks that it got from them; both of a server alone,
// whose admin asks. Blocks.

#include <cstdint>
#include <string>
#include <vector>

#include "commands/browse/target.hpp"
#include "commands/output/report.hpp"
#include "core/wire/outbox.hpp"

namespace kernelgate::browse {

// Newest first; an empty status or outcome: any.
[[nodiscard]] Result<std::vector<wire::OutboxMessage>> list_messages(const Target& target, const std::string& status,
                                                                     int limit);
[[nodiscard]] Result<std::vector<wire::Delivery>> list_deliveries(const Target& target, const std::string& outcome,
                                                                  int limit);

// Once more, of what was given up or refused. conflict: it was not.
[[nodiscard]] Result<wire::OutboxMessage> retry_message(const Target& target, std::int64_t id);
[[nodiscard]] Result<wire::WebhookReply> retry_delivery(const Target& target, std::int64_t id);

// The bytes of a webhook as they came.
[[nodiscard]] Result<std::string> payload(const Target& target, std::int64_t delivery);

[[nodiscard]] std::string to_table(const std::vector<wire::OutboxMessage>& messages, const report::TableStyle& style);
[[nodiscard]] std::string to_table(const std::vector<wire::Delivery>& deliveries, const report::TableStyle& style);
// {"schema":1,"messages":[OutboxMessage …]} and {"schema":1,"deliveries":[Delivery …]}
[[nodiscard]] std::string to_json(const std::vector<wire::OutboxMessage>& messages);
[[nodiscard]] std::string to_json(const std::vector<wire::Delivery>& deliveries);

}  // namespace kernelgate::browse
