// SPDX-License-Identifier: Apache-2.0
#include "db/outbox/deliveries.hpp"

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace deliveries_test {

class Deliveries : public StoreTest {};

TEST_F(Deliveries, AreKeptOnceAndForgottenAfterTheirTime) {
  const Delivery first{.delivery = "d1", .event = "push", .outcome = "refused", .status = 404, .detail = "who?"};
  EXPECT_FALSE(see_delivery(connection, "d1", at(1)));
  keep_delivery(connection, first, "{\"a\":1}", at(1));
  const auto seen = see_delivery(connection, "d1", at(2));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->seen, 2);
  EXPECT_EQ(seen->received_at, at(1));
  EXPECT_EQ(*delivery_body(connection, seen->id), "{\"a\":1}");

  keep_delivery(connection, {.delivery = "d1", .event = "push", .outcome = "queued", .status = 202}, "{}", at(3));
  const auto all = list_deliveries(connection, "");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].delivery.outcome, "queued");
  EXPECT_EQ(all[0].received_at, at(1));
  EXPECT_TRUE(list_deliveries(connection, "refused").empty());

  const Instant later = at(4) + limits::kDeliveriesKept;
  keep_delivery(connection, {.delivery = "d2", .event = "ping", .outcome = "ignored", .status = 202}, "{}", later);
  EXPECT_FALSE(see_delivery(connection, "d1", later));
  EXPECT_EQ(list_deliveries(connection, "").size(), 1U);
  EXPECT_EQ(delivery_body(connection, 999).error().code, Errc::not_found);
}

TEST_F(Deliveries, InstallationsAreKnownByRepository) {
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .added = {"Acme/Kernels", "acme/other"}}, at(1)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), 5);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .suspended = true}, at(2)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), std::nullopt);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .suspended = false}, at(3)));
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .removed = {"acme/other"}}, at(4)));
  EXPECT_EQ(installation_of(connection, "ACME/other"), std::nullopt);
  EXPECT_EQ(installation_of(connection, "ACME/kernels"), 5);
  ASSERT_TRUE(note_installation(connection, {.installation = 5, .gone = true}, at(5)));
  EXPECT_EQ(installation_of(connection, "acme/kernels"), std::nullopt);
}

}  // namespace deliveries_test
}  // namespace kernelgate::db
