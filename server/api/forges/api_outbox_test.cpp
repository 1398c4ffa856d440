// SPDX-License-Identifier: Apache-2.0
#include "db/outbox/outbox.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_outbox_test {

class ApiOutboxTest : public ApiFixture {
 protected:
  void post_status(db::Connection& connection, RunId run, const std::string& phase) {
    db::post_message(connection, {.run = run, .target = "github-status", .key = "l", .phase = phase}, clock_.now());
  }
  // Message 1: a run's pending status that the forge refused for too long.
  RunId given_up() {
    add_repository();
    const RunId run{trigger('a')};
    const auto stored = database_->write([&](db::Connection& connection) -> Status {
      post_status(connection, run, "queued");
      const auto message = db::get_message(connection, 1);
      db::end_attempt(connection, *message, {.status = "gave_up", .error = "answered 404", .next_at = clock_.now()},
                      clock_.now());
      return {};
    });
    EXPECT_TRUE(stored);
    return run;
  }
};

TEST_F(ApiOutboxTest, AnAdminSeesWhatWasGivenUpAndTakesItUpAgain) {
  const RunId run = given_up();
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

TEST_F(ApiOutboxTest, WhatALaterMessageReplacedIsNotSentAgain) {
  const RunId run = given_up();
  ASSERT_TRUE(database_->write([&](db::Connection& connection) -> Status {
    post_status(connection, run, "finished");
    return {};
  }));
  const auto refused = post("admin", "/api/v1/outbox/1/retry", nlohmann::json::object());
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.headers.at("content-type"), "application/problem+json");
}

TEST_F(ApiOutboxTest, IsForAdminsAlone) {
  EXPECT_EQ(ask("trigger", "GET", "/api/v1/outbox").status, 403);
  EXPECT_EQ(ask("", "GET", "/api/v1/outbox").status, 401);
  EXPECT_EQ(ask("", "POST", "/api/v1/outbox/1/retry").status, 401);
  EXPECT_EQ(ask("runner", "POST", "/api/v1/outbox/1/retry").status, 403);
  EXPECT_EQ(ask("admin", "POST", "/api/v1/outbox/first/retry").status, 404);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/outbox?status=lost").status, 400);
}

}  // namespace api_outbox_test
}  // namespace kernelgate::api
