// SPDX-License-Identifier: Apache-2.0
// What holds for every endpoint alike: the contract, roles, malformed bodies, unknown things.
#include "server/api/endpoints.hpp"
#include "tests/support/api_fixture.hpp"
#include "tests/support/contract.hpp"

namespace kernelgate::api {
namespace api_access_test {

// The route's pattern with every parameter filled in.
std::string filled(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      out += pattern[i];
      continue;
    }
    const auto end = pattern.find('}', i);
    out += pattern.substr(i, end - i + 1) == "{id}" ? "999" : "nothing";
    i = end;
  }
  return out;
}

std::string method_of(const http::Route& route) { return std::string(to_string(route.method)); }

TEST(Contract, DeclaresEveryRouteAndNoOther) {
  std::set<std::string> served, declared;
  for (const http::Route& route : routes()) served.insert(method_of(route) + " " + std::string(route.pattern));
  for (const auto& [name, responses] : contract().operations) declared.insert(name);
  EXPECT_EQ(served, declared);
}

TEST(Contract, DeclaresRefusalsByRole) {
  for (const http::Route& route : routes()) {
    const std::string name = method_of(route) + " " + std::string(route.pattern);
    const auto& responses = contract().operations.at(name);
    if (route.access == http::Access::open) continue;
    EXPECT_EQ(responses.count(401), 1U) << name;
    EXPECT_EQ(responses.count(403), 1U) << name;
  }
}

using ApiAccess = ApiFixture;

// Each route, each role and no token; what x-role of the contract lets in is spelt out here.
TEST_F(ApiAccess, EveryRouteLetsInItsRolesAndNoOther) {
  const std::map<std::string, std::set<std::string>> admitted = {
      {"badge", {"badge", "read", "trigger", "runner", "admin"}},
      {"read", {"read", "trigger", "runner", "admin"}},
      {"trigger", {"trigger", "admin"}},
      {"runner", {"runner", "admin"}},
      {"admin", {"admin"}}};
  for (const http::Route& route : routes()) {
    const std::string method = method_of(route), target = filled(route.pattern);
    const std::string& needed = contract().roles.at(method + " " + std::string(route.pattern));
    if (needed == "open") continue;
    EXPECT_EQ(ask("", method, target).status, 401) << method << target;
    EXPECT_EQ(ask("unknown", method, target).status, 401) << method << target;
    for (const char* role : {"badge", "read", "trigger", "runner", "admin"}) {
      const int status = ask(role, method, target).status;
      if (admitted.at(needed).count(role))
        EXPECT_TRUE(status != 401 && status != 403) << role << " " << method << " " << target << " -> " << status;
      else
        EXPECT_EQ(status, 403) << role << " " << method << " " << target;
    }
  }
}

TEST_F(ApiAccess, OpenRoutesAreTheseAndNoOther) {
  std::set<std::string> open;
  for (const Endpoint& endpoint : endpoints())  // the dashboard's pages hold no data
    if (endpoint.route.access == http::Access::open && endpoint.handler != get_dashboard)
      open.insert(method_of(endpoint.route) + " " + std::string(endpoint.route.pattern));
  const std::set<std::string> wanted = {"GET /assets/{name}", "GET /healthz", "POST /api/v1/session",
                                        "POST /webhooks/github", "POST /webhooks/github/{repository}"};
  EXPECT_EQ(open, wanted);
}

TEST_F(ApiAccess, MalformedBodiesAreRefusedWithTheirPlace) {
  for (const http::Route& route : routes()) {
    if (route.method != http::Method::post) continue;
    const std::string target = filled(route.pattern);
    if (target.find("cancel") != std::string::npos || target.find("retry") != std::string::npos ||
        target.find("approve") != std::string::npos || target.find("webhook-secret") != std::string::npos ||
        route.access == http::Access::open)
      continue;
    for (const char* body : {"", "{", "[]", "{\"lease\": 7}", "{\"repository\": \"\xff\"}", "null"}) {
      const Reply reply = ask("admin", "POST", target, body);
      EXPECT_EQ(reply.status, 400) << target << " " << body;
      EXPECT_EQ(reply.body["code"], "invalid");
    }
  }
}

TEST_F(ApiAccess, UnknownThingsAre404) {
  for (const http::Route& route : routes()) {
    if (route.method != http::Method::get || route.pattern.find('{') == std::string_view::npos) continue;
    const char* role = route.access == http::Access::admin ? "admin" : "read";
    EXPECT_EQ(ask(role, "GET", filled(route.pattern)).status, 404) << route.pattern;
  }
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/999/cancel").status, 404);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/999/retry").status, 404);
  EXPECT_EQ(get("/api/v1/runs/7x").status, 404);
  EXPECT_EQ(get("/api/v1/nothing").status, 404);
  EXPECT_EQ(ask("read", "PATCH", "/api/v1/runs").status, 405);
  EXPECT_EQ(get("/api/v1/series?repository=none&suite=s&benchmark=b").status, 404);
}

TEST_F(ApiAccess, QueryParametersAreChecked) {
  for (const char* target :
       {"/api/v1/runs?limit=0", "/api/v1/runs?limit=501", "/api/v1/runs?limit=x", "/api/v1/runs?before=-1",
        "/api/v1/runs?state=lost", "/api/v1/runs?conclusion=good", "/api/v1/runs?commit=abc",
        "/api/v1/runs?commit=HEAD%20", "/api/v1/series?repository=k", "/api/v1/benchmarks"})
    EXPECT_EQ(get(target).status, 400) << target;
}

TEST_F(ApiAccess, HealthAndMetricsAnswer) {
  EXPECT_EQ(ask("", "GET", "/healthz").body["status"], "ok");
  const Reply metrics = get("/metrics");
  EXPECT_NE(metrics.body.get<std::string>().find("\nkernelgate_jobs_queued 0\n"), std::string::npos);
  EXPECT_EQ(ask("", "HEAD", "/healthz").status, 200);
}

TEST_F(ApiAccess, ABrowserMaySendItsTokenAsABasicPasswordAndThenOnlyRead) {
  http::RawClient client(server_->port());
  const std::string basic = "Authorization: Basic eDprZ19hZG1pbg==\r\n";  // x:kg_admin
  EXPECT_EQ(client.ask("GET", "/api/v1/runs", basic)->status, 200);
  http::RawClient other(server_->port());
  EXPECT_EQ(other.ask("POST", "/api/v1/repositories", basic, "{}")->status, 403);
}

TEST_F(ApiAccess, PublicReadOpensReadingAlone) {
  stop();
  start(Settings{.public_read = true, .public_url = {}});
  EXPECT_EQ(ask("", "GET", "/api/v1/runs").status, 200);
  EXPECT_EQ(post("", "/api/v1/triggers", trigger_body('a')).status, 403);
}

// They count the whole store, and say how busy it is.
TEST_F(ApiAccess, MetricsNeedATokenUnlessTheyAreOpened) {
  EXPECT_EQ(ask("", "GET", "/metrics").status, 401);
  stop();
  start(Settings{.public_read = true, .public_url = {}});
  EXPECT_EQ(ask("", "GET", "/metrics").status, 401);
  EXPECT_EQ(ask("", "GET", "/%6detrics").status, 401);
  EXPECT_EQ(get("/metrics").status, 200);
  stop();
  start(Settings{.open_metrics = true, .public_url = {}});
  EXPECT_EQ(ask("", "GET", "/metrics").status, 200);
  EXPECT_EQ(ask("", "GET", "/api/v1/runs").status, 401);
}

TEST_F(ApiAccess, MetricsCountTheStoreEveryFewSecondsAtMost) {
  add_repository();
  const auto queued = [&] { return get("/metrics").body.get<std::string>().find("\nkernelgate_jobs_queued 1\n"); };
  EXPECT_EQ(queued(), std::string::npos);
  trigger('a');
  EXPECT_EQ(queued(), std::string::npos) << "counted a moment ago";
  clock_.ms += 5000;
  EXPECT_NE(queued(), std::string::npos);
}

TEST_F(ApiAccess, APlotHasABoundOnItsPoints) {
  EXPECT_EQ(get("/plot/history.svg?repository=k&suite=s&benchmark=b&limit=1001").status, 400);
  EXPECT_EQ(get("/plot/history.svg?repository=k&suite=s&benchmark=b&limit=1000").status, 404);
}

}  // namespace api_access_test
}  // namespace kernelgate::api
