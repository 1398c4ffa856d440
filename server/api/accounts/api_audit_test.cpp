// SPDX-License-Identifier: Apache-2.0
// The audit log, and badges.
#include <algorithm>

#include "db/accounts/audit.hpp"
#include "server/api/endpoints.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_acts_test {

// The action that each endpoint that changes state writes; "data": what a runner sends while it works.
const std::map<std::string, std::string> kActions = {
    {"POST /api/v1/session", "login.begin"},
    {"DELETE /api/v1/session", "login.end"},
    {"POST /api/v1/repositories", "repository.add"},
    {"PUT /api/v1/repositories/{name}/manifest", "repository.manifest"},
    {"POST /api/v1/repositories/{name}/webhook-secret", "repository.webhook_secret"},
    {"POST /api/v1/triggers", "run.trigger"},
    {"POST /api/v1/runs/{id}/cancel", "run.cancel"},
    {"POST /api/v1/runs/{id}/retry", "run.retry"},
    {"POST /api/v1/runs/{id}/approve", "run.approve"},
    {"POST /api/v1/runs/{id}/refuse", "run.refuse"},
    {"POST /webhooks/github", "webhook"},
    {"POST /webhooks/github/{repository}", "webhook"},
    {"POST /api/v1/attempts", "attempt.note"},
    {"PATCH /api/v1/attempts/{id}", "attempt.change"},
    {"POST /api/v1/tokens/{name}/revoke", "token.revoke"},
    {"POST /api/v1/bisections", "bisection.start"},
    {"POST /api/v1/bisections/{id}/cancel", "bisection.cancel"},
    {"POST /api/v1/backfills", "backfill"},
    {"POST /api/v1/outbox/{id}/retry", "outbox.retry"},
    {"POST /api/v1/deliveries/{id}/retry", "delivery.retry"},
    {"POST /api/v1/baselines", "baseline.promote"},
    {"POST /api/v1/baselines/remeasure", "baseline.remeasure"},
    {"POST /api/v1/acknowledgements", "regression.accept"},
    {"POST /api/v1/acknowledgements/{id}/revoke", "regression.revoke"},
    {"POST /api/v1/baselines/import", "baseline.import"},
    {"POST /api/v1/calibrations", "calibration.keep"},
    {"POST /api/v1/quarantines", "benchmark.quarantine"},
    {"POST /api/v1/quarantines/{id}/release", "benchmark.release"},
    {"POST /api/v1/prune", "store.thin"},
    {"POST /api/v1/runs/{id}/profiles", "profile.ask"},
    {"POST /api/v1/runner/profiles/claim", "profile.claim"},
    {"POST /api/v1/runner/profiles/{id}/end", "profile.end"},
    {"POST /api/v1/runner/claim", "run.claim"},
    {"POST /api/v1/runner/runs/{id}/heartbeat", "data"},
    {"POST /api/v1/runner/runs/{id}/resolved", "data"},
    {"POST /api/v1/runner/runs/{id}/processes", "data"},
    {"POST /api/v1/runner/runs/{id}/logs", "data"},
    {"POST /api/v1/runner/runs/{id}/epoch", "baseline.carry"},
    {"POST /api/v1/runner/runs/{id}/finish", "run.finish"},
    {"POST /api/v1/runner/runs/{id}/release", "run.release"},
};

TEST(Actions, EveryEndpointThatChangesStateHasOne) {
  for (const http::Route& route : routes()) {
    const std::string name = std::string(to_string(route.method)) + " " + std::string(route.pattern);
    EXPECT_EQ(kActions.count(name), route.method == http::Method::get ? 0U : 1U) << name;
  }
}

class ApiActs : public ApiFixture {
 protected:
  std::vector<std::string> actions(const std::string& query = {}) {
    std::vector<std::string> out;
    const Reply page = ask("admin", "GET", "/api/v1/audit" + query);
    for (const auto& one : page.body["actions"])
      out.push_back(one["actor"].get<std::string>() + ": " + one["action"].get<std::string>() + " " +
                    one["subject"].get<std::string>() + ", " + one["detail"].get<std::string>());
    return out;
  }
};

TEST_F(ApiActs, WhatIsDoneIsWrittenOnceWithWhoAndWhy) {
  add_repository();
  EXPECT_EQ(ask("admin", "PUT", "/api/v1/repositories/kernels/manifest").status, 200);
  const auto run = trigger('a');
  EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger_body('a')).body["run"], run);  // known: nothing changes
  nlohmann::json held = claim();
  EXPECT_EQ(post("runner", "/api/v1/runner/runs/1/release", {{"lease", held["lease"]}, {"reason", "drained"}}).status,
            204);
  held = claim();
  EXPECT_EQ(resolve(held, '1').status, 200);
  EXPECT_EQ(finish(held, first_push()).status, 200);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/1/retry").status, 202);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/1/retry").status, 200);  // the same one
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/2/cancel").status, 200);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/2/cancel").status, 409);
  const std::vector<std::string> wanted = {"trigger: run.cancel run 2, ",
                                           "trigger: run.retry run 2, of run 1",
                                           "runner: run.finish run 1, passed",
                                           "runner: run.claim run 1, r1 on bench",
                                           "runner: run.release run 1, drained",
                                           "runner: run.claim run 1, r1 on bench",
                                           "trigger: run.trigger run 1, cli " + std::string(40, 'a'),
                                           "admin: repository.manifest repository kernels, none",
                                           "admin: repository.add repository kernels, /srv/git/kernels.git"};
  EXPECT_EQ(actions(), wanted);
  EXPECT_EQ(actions("?action=repository&limit=1"), std::vector<std::string>{wanted[7]});
  EXPECT_EQ(actions("?actor=runner&action=run.finish&subject=run%201"), std::vector<std::string>{wanted[2]});
  EXPECT_EQ(actions("?since_ms=" + std::to_string(clock_.ms + 1)).size(), 0U);
  const auto page = ask("admin", "GET", "/api/v1/audit?limit=2").body;
  EXPECT_EQ(actions("?limit=2&before=" + page["next"].get<std::string>())[0], wanted[2]);
}

TEST_F(ApiActs, ARunThatLosesItsRunnerIsTheServersAct) {
  add_repository();
  (void)trigger('a');
  (void)claim();
  clock_.ms += Millis(limits::kLeaseDuration).count() + 1;
  ASSERT_TRUE(service_->expire_leases());
  EXPECT_EQ(actions("?actor=server"), std::vector<std::string>{"server: run.lose_runner run 1, now queued"});
}

TEST_F(ApiActs, TokensAreListedWithoutTheirTextAndTakenAway) {
  const nlohmann::json tokens = ask("admin", "GET", "/api/v1/tokens").body["tokens"];
  ASSERT_EQ(tokens.size(), 6U);
  EXPECT_EQ(tokens.dump().find("kg_"), std::string::npos);
  EXPECT_TRUE(tokens[0]["revoked_at"].is_null());
  EXPECT_EQ(get("/api/v1/runs").status, 200);
  const std::string path = "/api/v1/tokens/read/revoke";
  EXPECT_EQ(post("admin", path, {{"reason", ""}}).status, 400);
  EXPECT_EQ(post("admin", path, {{"reason", "left the team"}}).status, 204);
  EXPECT_EQ(get("/api/v1/runs").status, 401);
  EXPECT_EQ(post("admin", "/api/v1/tokens/admin/revoke", {{"reason", "mine"}}).status, 409);
  EXPECT_EQ(post("admin", "/api/v1/tokens/nobody/revoke", {{"reason", "x"}}).status, 404);
  EXPECT_EQ(actions(), std::vector<std::string>{"admin: token.revoke token read, left the team"});
  const nlohmann::json after = ask("admin", "GET", "/api/v1/tokens").body["tokens"];
  EXPECT_EQ(std::count_if(after.begin(), after.end(), [](const auto& one) { return !one["revoked_at"].is_null(); }), 1);
}

using ApiBadge = ApiActs;

TEST_F(ApiBadge, ShowsWhatTheDefaultBranchCameTo) {
  add_repository();
  Reply badge = ask("badge", "GET", "/badge/kernels.svg");
  EXPECT_EQ(badge.status, 200);
  EXPECT_NE(badge.body.get<std::string>().find("not yet judged"), std::string::npos);
  (void)trigger('a');
  const nlohmann::json held = claim();
  EXPECT_EQ(resolve(held, '1').status, 200);
  EXPECT_EQ(finish(held, first_push()).status, 200);
  auto other = trigger_body('b');
  other["branch"] = "topic";
  EXPECT_EQ(post("trigger", "/api/v1/triggers", other).status, 202);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/2/cancel").status, 200);
  badge = ask("badge", "GET", "/badge/kernels.svg");
  EXPECT_NE(badge.body.get<std::string>().find("<title>kernelgate: passed</title>"), std::string::npos);
  EXPECT_EQ(badge.headers.at("cache-control"), "private, max-age=60");
  EXPECT_EQ(badge.headers.at("cross-origin-resource-policy"), "cross-origin");
  const std::string known = "If-None-Match: " + badge.headers.at("etag") + "\r\n";
  const Reply same = send(bearer("badge") + known, "GET", "/badge/kernels.svg");
  EXPECT_EQ(same.status, 304);
  EXPECT_TRUE(same.body.is_null());
}

TEST_F(ApiBadge, ATokenInTheUrlSeesBadgesAloneAndIsOfThatRole) {
  add_repository();
  EXPECT_EQ(ask("", "GET", "/badge/kernels.svg?token=kg_badge").status, 200);
  EXPECT_EQ(ask("", "GET", "/badge/kernels.svg?token=kg_read").status, 403);
  EXPECT_EQ(ask("", "GET", "/badge/kernels.svg?token=kg_admin").status, 403);
  EXPECT_EQ(ask("", "GET", "/badge/kernels.svg?token=kg_guess").status, 401);
  EXPECT_EQ(ask("", "GET", "/badge/kernels.svg").status, 401);
  EXPECT_EQ(ask("", "GET", "/api/v1/runs?token=kg_badge").status, 401);
  EXPECT_EQ(ask("badge", "GET", "/api/v1/runs").status, 403);
  EXPECT_EQ(ask("read", "GET", "/badge/none.svg").status, 404);
}

TEST_F(ApiBadge, InAPublicViewItIsPublic) {
  stop();
  start(Settings{.public_read = true, .public_url = {}});
  add_repository();
  const Reply badge = ask("", "GET", "/badge/kernels.svg");
  EXPECT_EQ(badge.status, 200);
  EXPECT_EQ(badge.headers.at("cache-control"), "public, max-age=60");
}

}  // namespace api_acts_test
}  // namespace kernelgate::api
