// SPDX-License-Identifier: Apache-2.0
// Webhooks over a socket: what they do, what they are refused for, and forks.
#include <fstream>
#include <iterator>
#include <regex>

#include "db/accounts/audit.hpp"
#include "db/outbox/deliveries.hpp"
#include "db/runs/runs.hpp"
#include "server/webhooks/signature.hpp"
#include "tests/support/api_fixture.hpp"
#include "tests/support/scripted_server.hpp"

namespace kernelgate::api {
namespace api_webhooks_test {

using Json = nlohmann::json;

constexpr const char* kSecret = "It's a Secret to Everybody";
const std::string kTip = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";

class ApiWebhooks : public ApiFixture {
 protected:
  void SetUp() override {
    config_.github.emplace();
    config_.github->webhook_secret.text = kSecret;
    Settings settings;
    settings.forges = &config_;
    start(settings);
    register_repository("hello", "https://github.com/Codertocat/Hello-World.git", "master");
  }
  void register_repository(const std::string& name, const std::string& url, const std::string& branch,
                           const std::string& full_name = {}) {
    const Reply made = post("admin", "/api/v1/repositories",
                            {{"name", name}, {"url", url}, {"default_branch", branch}, {"full_name", full_name}});
    ASSERT_EQ(made.status, 201) << made.body;
  }
  static Json payload(const std::string& name) {
    std::ifstream in(std::string(KG_GOLDEN_WEBHOOKS) + "/" + name + ".json", std::ios::binary);
    return Json::parse(in);
  }
  // A push of `commit` (a digit, repeated) to the branch, as GitHub words it.
  static Json push(char commit, const std::string& branch, char before, int second) {
    Json out = payload("push");
    out["ref"] = "refs/heads/" + branch;
    out["after"] = std::string(40, commit);
    out["before"] = std::string(40, before);
    out["repository"]["pushed_at"] = second;
    return out;
  }
  static Json pull(const std::string& action, char commit, bool fork, int second, int number = 2) {
    Json out = payload(action == "closed" ? "pull_request_closed" : "pull_request_opened");
    out["action"] = action;
    Json& request = out["pull_request"];
    request["number"] = number;
    request["head"]["sha"] = std::string(40, commit);
    if (fork) request["head"]["repo"]["full_name"] = "ada/Hello-World";
    request["updated_at"] = "2026-11-21T10:00:" + std::to_string(second) + "Z";
    return out;
  }
  Reply deliver(const std::string& event, const Json& body, std::string id = {}) {
    if (id.empty()) id = "delivery-" + std::to_string(++deliveries_);
    const std::string text = body.dump();
    return send(text, headers(event, id, webhooks::signature_of(kSecret, text)));
  }
  static std::string headers(const std::string& event, const std::string& id, const std::string& signature,
                             const std::string& type = "application/json") {
    return "Content-Type: " + type + "\r\nX-GitHub-Event: " + event + "\r\nX-GitHub-Delivery: " + id + "\r\n" +
           (signature.empty() ? "" : "X-Hub-Signature-256: " + signature + "\r\n");
  }
  Reply send(const std::string& body, const std::string& headers) {
    http::RawClient client(server_->port(), std::chrono::seconds(60));
    const auto answer = client.ask("POST", "/webhooks/github", headers, body);
    if (!answer) return {};
    return {.status = answer->status, .body = Json::parse(answer->body), .headers = answer->headers};
  }
  Json run(const Reply& reply) { return get("/api/v1/runs/" + reply.body["run"].dump()).body; }
  std::size_t runs() { return get("/api/v1/runs").body["runs"].size(); }
  Json deliveries(const std::string& outcome) {
    return ask("admin", "GET", "/api/v1/deliveries?outcome=" + outcome).body["deliveries"];
  }

  forge::Config config_;
  int deliveries_ = 0;
};

TEST_F(ApiWebhooks, APushBecomesARunAndItsReplayDoesNothing) {
  const Reply first = deliver("push", payload("push"), "one");
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(first.body["outcome"], "queued");
  const Json made = run(first);
  EXPECT_EQ(made["repository"], "hello");
  EXPECT_EQ(made["commit"], kTip);
  EXPECT_EQ(made["branch"], "master");
  EXPECT_EQ(made["source"], "webhook");
  const Reply again = deliver("push", payload("push"), "one");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body["outcome"], "already_seen");
  EXPECT_EQ(again.body["run"], made["id"]);
  EXPECT_EQ(deliver("push", payload("push"), "another").body["outcome"], "noted");
  EXPECT_EQ(runs(), 1U);
  EXPECT_EQ(deliveries("queued")[0]["seen"], 2);
  const std::string id = deliveries("queued")[0]["id"].dump();
  EXPECT_EQ(Json::parse(ask("admin", "GET", "/api/v1/deliveries/" + id + "/payload").body.get<std::string>()),
            payload("push"));
  EXPECT_EQ(ask("trigger", "GET", "/api/v1/deliveries").status, 403);
}

TEST_F(ApiWebhooks, ManyReplaysAtOnceAreOneRun) {
  std::vector<std::thread> senders;
  std::atomic<int> taken{0}, seen{0};
  for (int i = 0; i < 8; ++i)
    senders.emplace_back([&] {
      const Reply reply = deliver("push", payload("push"), "same");
      if (reply.status == 202) ++taken;
      if (reply.status == 200) ++seen;
    });
  for (std::thread& each : senders) each.join();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(runs(), 1U);
}

TEST_F(ApiWebhooks, StrangersAreRefusedAndNothingOfTheirsIsKept) {
  const std::string body = payload("push").dump();
  const std::string good = webhooks::signature_of(kSecret, body);
  struct Case {
    const char* name;
    Reply reply;
    int status;
    const char* where;
  };
  const Case cases[] = {
      {"no signature", send(body, headers("push", "a", "")), 401, "header X-Hub-Signature-256"},
      {"bad signature", send(body + " ", headers("push", "a", good)), 401, "header X-Hub-Signature-256"},
      {"content type", send(body, headers("push", "a", good, "text/plain")), 415, "header Content-Type"},
      {"no delivery", send(body, headers("push", "", good)), 400, "header X-GitHub-Delivery"},
      {"odd delivery", send(body, headers("push", "a b", good)), 400, "header X-GitHub-Delivery"},
      {"no event", send(body, headers("", "a", good)), 400, "header X-GitHub-Event"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(each.reply.status, each.status) << each.name;
    EXPECT_EQ(each.reply.body["where"], each.where) << each.name;
    EXPECT_EQ(each.reply.headers.at("content-type"), "application/problem+json") << each.name;
  }
  EXPECT_EQ(send(std::string(5u << 20, ' '), headers("push", "a", good)).status, 413);
  EXPECT_EQ(send(std::string(3u << 20, ' '), headers("push", "a", good)).status, 401);
  EXPECT_EQ(deliveries("").size(), 0U);
  EXPECT_EQ(runs(), 0U);
  const std::string metrics = get("/metrics").body;
  EXPECT_NE(metrics.find("kernelgate_webhooks_total{outcome=\"bad_signature\"} 3"), std::string::npos);
}

TEST_F(ApiWebhooks, WhatCannotBeUsedIsKeptAndTriedAgainWhenItComesAgain) {
  Json other = payload("push");
  other["repository"] = {{"full_name", "acme/kernels"}, {"clone_url", "https://github.com/acme/kernels.git"}};
  const Reply unknown = deliver("push", other, "later");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(unknown.body["where"], "/repository/full_name");
  EXPECT_EQ(deliver("push", {{"ref", 7}}).body["where"], "/ref");
  EXPECT_EQ(send("{", headers("push", "bad", webhooks::signature_of(kSecret, "{"))).status, 400);
  const Json kept = deliveries("refused");
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[2]["repository"], "acme/kernels");
  EXPECT_EQ(kept[2]["status"], 404);
  EXPECT_NE(kept[2]["detail"].get<std::string>().find("no registered repository"), std::string::npos);

  register_repository("kernels", "/srv/kernels.git", "master", "Acme/Kernels");
  EXPECT_EQ(deliver("push", other, "later").body["outcome"], "queued");
  register_repository("copy", "/srv/copy.git", "master", "acme/kernels");
  EXPECT_EQ(deliver("push", other).status, 409);
}

TEST_F(ApiWebhooks, UnknownEventsAreTakenAndCounted) {
  EXPECT_EQ(deliver("star", payload("star_created")).body["outcome"], "unknown_event");
  EXPECT_EQ(deliver("ping", payload("ping")).body["outcome"], "ignored");
  EXPECT_EQ(deliver("push", payload("push_tag")).status, 202);
  EXPECT_EQ(deliver("installation", payload("installation_created")).body["outcome"], "noted");
  const std::string metrics = get("/metrics").body;
  EXPECT_NE(metrics.find("kernelgate_webhooks_total{outcome=\"unknown_event\"} 1"), std::string::npos);
  EXPECT_EQ(deliveries("unknown_event").size(), 1U);
  EXPECT_EQ(*database_->read(
                [](db::Connection& connection) { return db::installation_of(connection, "codertocat/hello-world"); }),
            957387);
}

TEST_F(ApiWebhooks, ANewerPushSupersedesAndCarriesTheBaseAlong) {
  const Json first = run(deliver("push", push('1', "master", '0', 100)));
  const Json second = run(deliver("push", push('2', "master", '1', 101)));
  const Json topic = run(deliver("push", push('3', "topic", '0', 102)));
  const Json old = get("/api/v1/runs/" + first["id"].dump()).body;
  EXPECT_EQ(old["state"], "cancelled");
  EXPECT_EQ(old["superseded_by"], second["id"]);
  EXPECT_EQ(topic["state"], "queued");
  EXPECT_EQ(get("/api/v1/runs/" + second["id"].dump()).body["state"], "queued");
  EXPECT_EQ(deliver("push", push('9', "master", '0', 99)).body["outcome"], "ignored");  // late
  const Json claimed = claim();
  EXPECT_EQ(claimed["run"], second["id"]);
  EXPECT_EQ(claimed["base"]["kind"], "before");
  EXPECT_EQ(claimed["base"]["argument"], std::string(40, '0'));  // nobody judged 1: 2 is compared with what 1 was
  EXPECT_FALSE(claimed["fork"]);
  Json gone = payload("push_tag_deleted");
  gone["ref"] = "refs/heads/topic";
  gone["repository"]["pushed_at"] = 103;
  EXPECT_EQ(deliver("push", gone).body["outcome"], "cancelled");
  EXPECT_EQ(get("/api/v1/runs/" + topic["id"].dump()).body["reason"], "branch topic was deleted");
}

TEST_F(ApiWebhooks, ThePushAndThePullRequestOfACommitAreOneRun) {
  const Reply pushed = deliver("push", push('1', "changes", '0', 100));
  const Reply opened = deliver("pull_request", pull("opened", '1', false, 10));
  EXPECT_EQ(opened.body["run"], pushed.body["run"]);
  EXPECT_EQ(run(opened)["pull_request"]["number"], 2);
  const Reply pulled = deliver("pull_request", pull("synchronize", '2', false, 20));
  EXPECT_EQ(run(pushed)["superseded_by"], pulled.body["run"]);
  Json late = push('2', "changes", '1', 101);
  late["repository"]["pushed_at"] = 1800000000;
  EXPECT_EQ(deliver("push", late).body["run"], pulled.body["run"]);
  EXPECT_EQ(deliver("pull_request", pull("closed", '2', false, 30)).body["outcome"], "cancelled");
  EXPECT_EQ(run(pulled)["reason"], "pull request 2 was closed");
}

TEST_F(ApiWebhooks, AForkIsHeldApprovedOrRefusedAndEachIsLogged) {
  const Reply opened = deliver("pull_request", pull("opened", '1', true, 10));
  EXPECT_EQ(opened.body["outcome"], "held");
  const std::string path = "/api/v1/runs/" + opened.body["run"].dump();
  EXPECT_EQ(ask("read", "POST", path + "/approve").status, 403);
  EXPECT_EQ(post("trigger", path + "/refuse", {{"reason", ""}}).status, 400);
  EXPECT_EQ(ask("trigger", "POST", path + "/approve").body["state"], "queued");
  EXPECT_EQ(ask("trigger", "POST", path + "/approve").status, 409);
  EXPECT_EQ(post("trigger", path + "/refuse", {{"reason", "late"}}).status, 409);
  EXPECT_TRUE(claim()["fork"]);

  const Reply pushed = deliver("pull_request", pull("synchronize", '2', true, 20));
  EXPECT_EQ(pushed.body["outcome"], "held");  // approval is of a commit, not of a person
  EXPECT_EQ(run(opened)["superseded_by"], pushed.body["run"]);
  const std::string next = "/api/v1/runs/" + pushed.body["run"].dump();
  const Reply refused = post("trigger", next + "/refuse", {{"reason", "reads /etc"}});
  EXPECT_EQ(refused.body["state"], "cancelled");
  EXPECT_EQ(refused.body["reason"], "refused by trigger: reads /etc");
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/999/approve").status, 404);
  const auto actions = database_->read([](db::Connection& connection) { return db::list_actions(connection); });
  std::string log;
  for (const db::LoggedAction& each : *actions)
    if (each.action.action != "run.claim") log = each.action.action + " by " + each.action.actor + "\n" + log;
  EXPECT_NE(log.find("run.trigger by @Codertocat on GitHub\nrun.approve by trigger\n"
                     "run.trigger by @Codertocat on GitHub\nrun.supersede by @Codertocat on GitHub\n"
                     "run.refuse by trigger\n"),
            std::string::npos)
      << log;
}

TEST_F(ApiWebhooks, AClickNeedsAClientThatKnowsTheSender) {
  const Reply pushed = deliver("push", push('1', "master", '0', 100));
  ASSERT_EQ(ask("trigger", "POST", "/api/v1/runs/" + pushed.body["run"].dump() + "/cancel").status, 200);
  Json click = payload("check_run_rerequested");
  click["repository"] = payload("push")["repository"];
  click["check_run"]["head_sha"] = std::string(40, '1');
  const Reply refused = deliver("check_run", click);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.body["where"], "configuration");
  EXPECT_EQ(deliveries("refused").size(), 1U);
}

class ApiWebhookClicks : public ApiWebhooks {
 protected:
  void SetUp() override {
    config_.github.emplace();
    config_.github->webhook_secret.text = kSecret;
    config_.github->api_url = github_.url();
    config_.github->token.text = "t";
    client_ = std::make_unique<forge::Github>(*config_.github, clock_);
    Settings settings;
    settings.forges = &config_;
    settings.github = client_.get();
    start(settings);
    register_repository("hello", "https://github.com/Codertocat/Hello-World.git", "master");
  }
  std::atomic<bool> may_write_{true};
  ScriptedServer github_{[this](const std::string&, int) {
    return http_answer(200, may_write_ ? R"({"permission":"write"})" : R"({"permission":"read"})");
  }};
  std::unique_ptr<forge::Github> client_;
};

TEST_F(ApiWebhookClicks, RerunAndAcceptAskWhatTheSenderMay) {
  const Reply pushed = deliver("push", push('1', "master", '0', 100));
  Json click = payload("check_run_rerequested");
  click["repository"] = payload("push")["repository"];
  click["check_run"]["head_sha"] = std::string(40, '1');
  click["check_run"]["external_id"] = pushed.body["run"].dump();
  EXPECT_EQ(deliver("check_run", click).body["run"], pushed.body["run"]);  // at work
  ASSERT_EQ(ask("trigger", "POST", "/api/v1/runs/" + pushed.body["run"].dump() + "/cancel").status, 200);
  may_write_ = false;
  EXPECT_EQ(deliver("check_run", click).status, 403);
  may_write_ = true;
  const Reply again = deliver("check_run", click);
  EXPECT_EQ(again.body["outcome"], "queued");
  EXPECT_EQ(run(again)["retry_of"], pushed.body["run"]);
  click["action"] = "requested_action";
  click["requested_action"] = {{"identifier", "accept"}};
  EXPECT_EQ(deliver("check_run", click).status, 409);  // nothing has regressed
  click["check_run"]["head_sha"] = std::string(40, '7');
  EXPECT_EQ(deliver("check_run", click).status, 404);
}

// A finished run never changes: its successor knows who accepted what, and for whom.
TEST_F(ApiWebhookClicks, AcceptThisChangeAcknowledgesAndMeasuresAgain) {
  const Reply pushed = deliver("push", push('1', "master", '0', 100));
  const std::string number = pushed.body["run"].dump();
  ASSERT_EQ(claim()["run"], pushed.body["run"]);
  Comparison slower;
  slower.suite = "gemm";
  slower.benchmark = "gemm/64";
  slower.verdict = Verdict::regressed;
  slower.ratio = 1.05;
  slower.head_median_ns = 105;
  db::FinishedRun finished;
  finished.decision.conclusion = Conclusion::regressed;
  finished.decision.comparisons = {slower};
  const RunId id{pushed.body["run"].get<std::int64_t>()};
  ASSERT_TRUE(database_->write(
      [&](db::Connection& connection) { return db::finish_run(connection, id, finished, clock_.now()); }));
  Json click = payload("check_run_requested_action");
  click["repository"] = payload("push")["repository"];
  click["check_run"]["head_sha"] = std::string(40, '1');
  click["check_run"]["external_id"] = number;
  click["requested_action"] = {{"identifier", "accept"}};
  click["sender"]["login"] = "octocat";
  const Reply accepted = deliver("check_run", click);
  EXPECT_EQ(accepted.status, 202) << accepted.body;
  EXPECT_EQ(accepted.body["detail"], "accepted run " + number);
  EXPECT_EQ(run(accepted)["retry_of"], pushed.body["run"]);
  EXPECT_EQ(run(accepted)["state"], "queued");
  const Json known = get("/api/v1/acknowledgements?repository=hello").body["acknowledgements"];
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].at("benchmarks").at(0).at("benchmark"), "gemm/64");
  EXPECT_EQ(known[0]["actor"], "@octocat on GitHub");
  EXPECT_EQ(get("/api/v1/runs/" + number).body["conclusion"], "regressed");
  EXPECT_EQ(deliver("check_run", click).status, 409);  // accepted already
}

TEST_F(ApiWebhooks, ARefusedDeliveryIsTakenOnceItsCauseIsMended) {
  Json stray = push('1', "main", '0', 100);
  stray["repository"]["full_name"] = "acme/kernels";
  for (const char* url : {"clone_url", "git_url", "ssh_url", "html_url", "url", "svn_url"})
    stray["repository"][url] = "https://github.com/acme/kernels.git";
  EXPECT_EQ(deliver("push", stray).status, 404);
  const std::string path = "/api/v1/deliveries/" + deliveries("refused")[0]["id"].dump() + "/retry";
  EXPECT_EQ(ask("", "POST", path).status, 401);
  EXPECT_EQ(ask("trigger", "POST", path).status, 403);
  EXPECT_EQ(ask("admin", "POST", "/api/v1/deliveries/99/retry").status, 404);
  EXPECT_EQ(ask("admin", "POST", path).status, 404);  // still nobody's
  EXPECT_EQ(deliveries("refused").size(), 1U);
  register_repository("kernels", "https://github.com/acme/kernels.git", "main");
  const Reply taken = ask("admin", "POST", path);
  EXPECT_EQ(taken.status, 202) << taken.body;
  EXPECT_EQ(taken.body["outcome"], "queued");
  EXPECT_EQ(run(taken)["repository"], "kernels");
  EXPECT_EQ(deliveries("refused").size(), 0U);
  EXPECT_EQ(ask("admin", "POST", path).status, 409);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/deliveries?outcome=lost").status, 400);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/deliveries/99/payload").status, 404);
  const auto actions = database_->read([](db::Connection& connection) {
    return db::list_actions(connection, {}, {.actor = {}, .action = "delivery.retry", .subject = {}, .since = {}});
  });
  EXPECT_EQ(actions->size(), 2U);
}

class ApiNoWebhooks : public ApiFixture {};

TEST_F(ApiNoWebhooks, AServerWithoutASecretTakesNone) {
  EXPECT_EQ(ask("", "POST", "/webhooks/github", "{}").status, 415);
  http::RawClient client(server_->port(), std::chrono::seconds(60));
  EXPECT_EQ(client.ask("POST", "/webhooks/github", "Content-Type: application/json\r\n", "{}")->status, 501);
}

}  // namespace api_webhooks_test
}  // namespace kernelgate::api
