// SPDX-License-Identifier: Apache-2.0
// Repositories, triggers and runs as people and hooks see them.
#include <future>

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_runs_test {

using Json = nlohmann::json;
using ApiRuns = ApiFixture;

TEST_F(ApiRuns, RepositoriesAreCheckedAndListed) {
  add_repository();
  const auto add = [&](const Json& body) { return post("admin", "/api/v1/repositories", body); };
  EXPECT_EQ(add({{"name", "kernels"}, {"url", "/x"}}).status, 409);
  for (const char* name : {"", "../x", ".git", "-x", "a b", "a\nb"})
    EXPECT_EQ(add({{"name", name}, {"url", "/x"}}).status, 400) << name;
  for (const char* url : {"", "-x", "ext::sh -c id", "/a\nb", "kernels", "../kernels", "javascript:alert(1)",
                          "http://host/x", "ssh://-oProxyCommand=id/x", "-x@host:path"})
    EXPECT_EQ(add({{"name", "other"}, {"url", url}}).status, 400) << url;
  const Reply bad = add({{"name", "other"}, {"url", "/x"}, {"manifest", "schema = 1\nfoo = 2\n"}});
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(get("/api/v1/repositories").body["repositories"].size(), 1U);
  EXPECT_EQ(get("/api/v1/repositories/kernels").body["default_branch"], "main");
  EXPECT_EQ(ask("admin", "PUT", "/api/v1/repositories/kernels/manifest", "nonsense").status, 400);
  EXPECT_EQ(ask("admin", "PUT", "/api/v1/repositories/none/manifest", "").status, 404);
  EXPECT_EQ(ask("admin", "PUT", "/api/v1/repositories/kernels/manifest", "").status, 200);
  for (const char* url : {"git@host:team/x.git", "ssh://git@host/x", "https://host/x", "file:///srv/x", "/srv/a b"})
    EXPECT_EQ(add({{"name", "n" + std::to_string(std::string(url).size())}, {"url", url}}).status, 201) << url;
}

TEST_F(ApiRuns, TheSameTriggerIsTheSameRun) {
  add_repository();
  const auto run = trigger('a');
  const Reply again = post("trigger", "/api/v1/triggers", trigger_body('a'));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body["run"], run);
  EXPECT_NE(again.body["url"].get<std::string>().find("/runs/" + std::to_string(run)), std::string::npos);
  auto forced = trigger_body('a');
  forced["force"] = true;
  EXPECT_EQ(post("trigger", "/api/v1/triggers", forced).status, 202);
  auto keyed = trigger_body('a');
  keyed["idempotency_key"] = "delivery-1";
  EXPECT_EQ(post("trigger", "/api/v1/triggers", keyed).status, 202);
  EXPECT_EQ(post("trigger", "/api/v1/triggers", keyed).status, 200);
}

TEST_F(ApiRuns, BadTriggersAreRefused) {
  add_repository();
  const auto with = [&](const char* name, const Json& value) {
    auto body = trigger_body('a');
    body[name] = value;
    return post("trigger", "/api/v1/triggers", body).status;
  };
  EXPECT_EQ(with("repository", "none"), 404);
  EXPECT_EQ(with("commit", "HEAD"), 400);
  EXPECT_EQ(with("branch", "--upload-pack=touch"), 400);
  EXPECT_EQ(with("base", {{"kind", "explicit_commit"}, {"argument", "-x"}}), 400);
  EXPECT_EQ(with("base", {{"kind", "guess"}}), 400);
  EXPECT_EQ(with("source", "elsewhere"), 400);
  EXPECT_EQ(with("idempotency_key", std::string(300, 'k')), 413);
}

TEST_F(ApiRuns, ListsAreFilteredAndPaged) {
  add_repository();
  for (const char commit : {'a', 'b', 'c'}) trigger(commit);
  const Reply first = get("/api/v1/runs?limit=2");
  ASSERT_EQ(first.body["runs"].size(), 2U);
  EXPECT_EQ(first.body["runs"][0]["id"], 3);
  const Reply rest = get("/api/v1/runs?limit=2&before=" + first.body["next"].get<std::string>());
  ASSERT_EQ(rest.body["runs"].size(), 1U);
  EXPECT_TRUE(rest.body["next"].is_null());
  EXPECT_EQ(get("/api/v1/runs?commit=" + std::string(40, 'b')).body["runs"].size(), 1U);
  EXPECT_EQ(get("/api/v1/runs?commit=bbbbbbb").body["runs"].size(), 1U);
  EXPECT_EQ(get("/api/v1/runs?testbed=none").body["runs"].size(), 0U);
  EXPECT_EQ(get("/api/v1/runs?state=queued&repository=kernels").body["runs"].size(), 3U);
  EXPECT_EQ(get("/api/v1/runs?state=unfinished").body["runs"].size(), 3U);
  EXPECT_EQ(get("/api/v1/runs?conclusion=passed").body["runs"].size(), 0U);
  EXPECT_EQ(get("/api/v1/runs?repository=none").status, 404);
}

TEST_F(ApiRuns, CancelEndsARunOnceAndRetryRepeatsItOnce) {
  add_repository();
  const std::string run = "/api/v1/runs/" + std::to_string(trigger('a'));
  EXPECT_EQ(ask("trigger", "POST", run + "/retry").status, 409);
  const Reply cancelled = ask("trigger", "POST", run + "/cancel");
  EXPECT_EQ(cancelled.status, 200);
  EXPECT_EQ(cancelled.body["state"], "cancelled");
  EXPECT_EQ(cancelled.body["exit_code"], 4);
  EXPECT_EQ(ask("trigger", "POST", run + "/cancel").status, 409);
  const Reply retried = ask("trigger", "POST", run + "/retry");
  EXPECT_EQ(retried.status, 202);
  EXPECT_EQ(retried.body["retry_of"], 1);
  EXPECT_EQ(ask("trigger", "POST", run + "/retry").status, 200);
  EXPECT_EQ(get("/api/v1/runs").body["runs"].size(), 2U);
}

TEST_F(ApiRuns, ACancelledCommitIsRunAgainWhenTriggeredAgain) {
  add_repository();
  const std::string run = "/api/v1/runs/" + std::to_string(trigger('a'));
  ASSERT_EQ(ask("trigger", "POST", run + "/cancel").status, 200);
  const Reply again = post("trigger", "/api/v1/triggers", trigger_body('a'));
  EXPECT_EQ(again.status, 202);
  EXPECT_EQ(again.body["run"], 2);
  EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger_body('a')).body["run"], 2);
}

TEST_F(ApiRuns, AWaitEndsWhenTheRunDoes) {
  add_repository();
  const std::string run = "/api/v1/runs/" + std::to_string(trigger('a'));
  auto waiting = std::async(std::launch::async, [&] { return get(run + "?wait_s=25"); });
  while (server_->counters().parked == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_EQ(ask("trigger", "POST", run + "/cancel").status, 200);
  EXPECT_EQ(waiting.get().body["state"], "cancelled");
  EXPECT_EQ(get(run + "?wait_s=26").status, 400);
}

TEST_F(ApiRuns, EventsTellOfChanges) {
  add_repository();
  http::RawClient reader(server_->port());
  reader.send("GET /api/v1/events?repository=kernels HTTP/1.1\r\nHost: t\r\n" + bearer("read") + "\r\n");
  reader.read_until("retry: 2000\n\n");
  trigger('a');
  const std::string event = reader.read_until("\n\n");
  EXPECT_NE(event.find("event: run\n"), std::string::npos);
  EXPECT_NE(event.find("\"state\":\"queued\""), std::string::npos);
}

}  // namespace api_runs_test
}  // namespace kernelgate::api
