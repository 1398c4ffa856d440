// SPDX-License-Identifier: Apache-2.0
// What callers are told when a queue is full, the disk is full, or the store is gone.
#include "core/units/digest.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_failure_test {

using Json = nlohmann::json;
using ApiFailure = ApiFixture;

void expect_problem(const Reply& reply, int status, const std::string& code) {
  EXPECT_EQ(reply.status, status) << reply.body;
  EXPECT_EQ(reply.headers.at("content-type").substr(0, 24), "application/problem+json");
  EXPECT_EQ(reply.body["status"], status);
  EXPECT_EQ(reply.body["code"], code);
  EXPECT_NE(reply.body["fix"], "");
}

TEST_F(ApiFailure, AFullQueueRefusesNewRunsButNotKnownOnes) {
  stop();
  start(Settings{.public_url = {}, .queued_runs_max = 2});
  add_repository();
  add_repository("other");
  trigger('a');
  const auto second = trigger('b');
  const Reply refused = post("trigger", "/api/v1/triggers", trigger_body('c'));
  expect_problem(refused, 429, "too_many");
  EXPECT_EQ(refused.headers.at("retry-after"), "5");
  EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger_body('b')).body["run"], second);
  Json elsewhere = trigger_body('c');
  elsewhere["repository"] = "other";
  EXPECT_EQ(post("trigger", "/api/v1/triggers", elsewhere).status, 202);
  ASSERT_EQ(ask("trigger", "POST", "/api/v1/runs/1/cancel").status, 200);
  trigger('c');
  expect_problem(ask("trigger", "POST", "/api/v1/runs/1/retry"), 429, "too_many");
  EXPECT_EQ(get("/api/v1/runs").body["runs"].size(), 4U);
}

TEST_F(ApiFailure, AFullDiskIsOurFaultAndNothingIsHalfStored) {
  stop();
  start(Settings{}, db::DatabaseOptions{.max_pages = 150});
  add_repository();
  trigger('a');
  const Json claimed = claim();
  const std::string run = "/api/v1/runner/runs/" + claimed["run"].dump();
  Reply reply;
  int logs = 0;
  for (; logs < 100; ++logs) {
    reply =
        post("runner", run + "/logs",
             {{"lease", claimed["lease"]}, {"name", "log-" + std::to_string(logs)}, {"text", random_hex(32 << 10)}});
    if (reply.status != 204) break;
  }
  expect_problem(reply, 500, "io");
  EXPECT_NE(reply.body["detail"].get<std::string>().find("incident"), std::string::npos);
  EXPECT_EQ(reply.body.dump().find("store.sqlite"), std::string::npos);
  EXPECT_EQ(get("/api/v1/runs/1/logs").body["logs"].size(), static_cast<std::size_t>(logs));
  EXPECT_EQ(get("/api/v1/runs/1").body["state"], "claimed");
  EXPECT_EQ(ask("", "GET", "/healthz").status, 200);
}

TEST_F(ApiFailure, AStoreThatHasStoppedIsUnavailable) {
  add_repository();
  database_->stop();
  for (const Reply& reply : {post("trigger", "/api/v1/triggers", trigger_body('a')), get("/api/v1/runs")}) {
    expect_problem(reply, 503, "unavailable");
    EXPECT_EQ(reply.headers.at("retry-after"), "5");
  }
  EXPECT_EQ(ask("", "GET", "/healthz").status, 503);
}

}  // namespace api_failure_test
}  // namespace kernelgate::api
