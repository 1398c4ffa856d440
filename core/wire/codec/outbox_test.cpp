// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace codec_outbox_test {

TEST(OutboxCodec, RoundTrips) {
  OutboxMessage message;
  message.id = 3;
  message.target = "webhook:ci";
  message.status = MessageStatus::gave_up;
  message.error = "answered 404";
  OutboxMessage ended = message;
  ended.ended_at = parse_iso8601("2026-11-21T10:05:00.000Z");
  expect_round_trip(OutboxPage{{message, ended}, "2"});
  Delivery delivery;
  delivery.id = 4;
  delivery.outcome = DeliveryOutcome::unknown_event;
  delivery.run = 7;
  expect_round_trip(DeliveryPage{{delivery}, {}});
  expect_round_trip(WebhookReply{"d", DeliveryOutcome::refused, "unknown repository", {}});
}

TEST(OutboxCodec, AMissingOrMistypedMemberIsNamed) {
  const auto missing = decode<WebhookReply>(R"({"delivery":"d"})");
  ASSERT_FALSE(missing);
  EXPECT_NE(to_string(missing.error()).find("outcome"), std::string::npos);
  const auto mistyped = decode<DeliveryPage>(R"({"deliveries":[{"id":"four"}]})");
  ASSERT_FALSE(mistyped);
  EXPECT_NE(to_string(mistyped.error()).find("/deliveries/0/id"), std::string::npos);
}

}  // namespace codec_outbox_test
}  // namespace kernelgate::wire
