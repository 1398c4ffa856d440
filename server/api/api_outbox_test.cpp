// SPDX-License-Identifier: Apache-2.0
#include "db/outbox.hpp"
#include "server/api/api_fixture.hpp"

namespace kernelgate::api {
namespace {

using ApiOutboxTest = ApiFixture;

TEST_F(ApiOutboxTest, AnAdminSeesWhatWasGivenUpAndTakesItUpAgain) {
  add_repository();
  const RunId run{trigger('a')};
  const auto stored = database_->write([&](db::Connection& connection) -> Status {
    db::post_message(connection, {.run = run, .target = "github-status", .lane = "l", .phase = "queued"}, clock_.now());
    const auto message = db::get_message(connection, 1);
    db::end_attempt(connection, *message, {.status = "gave_up", .error = "answered 404", .next_at = clock_.now()},
                    clock_.now());
    return {};
  });
  ASSERT_TRUE(stored);
  EXPECT_EQ(ask("", "GET", "/healthz").body["outbox_gave_up"], 1);
  const auto page = ask("admin", "GET", "/api/v1/outbox?status=gave_up").body["messages"];
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page[0]["error"], "answered 404");
  EXPECT_EQ(page[0]["run"], run.value);
  const auto again = post("admin", "/api/v1/outbox/1/retry", nlohmann::json::object());
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body["status"], "pending");
  EXPECT_EQ(post("admin", "/api/v1/outbox/1/retry", nlohmann::json::object()).status, 409);
  EXPECT_EQ(post("admin", "/api/v1/outbox/2/retry", nlohmann::json::object()).status, 404);
  EXPECT_EQ(ask("", "GET", "/healthz").body["outbox_pending"], 1);
}

TEST_F(ApiOutboxTest, IsForAdminsAlone) {
  EXPECT_EQ(ask("trigger", "GET", "/api/v1/outbox").status, 403);
  EXPECT_EQ(ask("", "POST", "/api/v1/outbox/1/retry").status, 401);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/outbox?status=lost").status, 400);
}

}  // namespace
}  // namespace kernelgate::api
