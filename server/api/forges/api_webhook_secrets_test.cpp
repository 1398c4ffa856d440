// SPDX-License-Identifier: Apache-2.0
// Secrets of repositories' own: whose webhook may say what, and what a merged pull request does to its acceptances.
#include <fstream>

#include "db/runs/runs.hpp"
#include "server/webhooks/signature.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_webhook_secrets_test {

using Json = nlohmann::json;

constexpr const char* kShared = "the server's";

class ApiWebhookSecrets : public ApiFixture {
 protected:
  void SetUp() override {
    config_.github.emplace();
    config_.github->webhook_secret.text = kShared;
    Settings settings;
    settings.forges = &config_;
    start(settings);
    watch("hello", "Codertocat/Hello-World");
    watch("other", "acme/other");
  }
  void watch(const std::string& name, const std::string& full_name) {
    const Reply made =
        post("admin", "/api/v1/repositories",
             {{"name", name}, {"url", "/srv/x.git"}, {"default_branch", "main"}, {"full_name", full_name}});
    ASSERT_EQ(made.status, 201) << made.body;
  }
  std::string new_secret(const std::string& repository) {
    const Reply made = ask("admin", "POST", "/api/v1/repositories/" + repository + "/webhook-secret");
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(made.body["path"], "/webhooks/github/" + repository);
    return made.body.value("secret", "");
  }
  static Json payload(const std::string& name) {
    std::ifstream in(std::string(KG_GOLDEN_WEBHOOKS) + "/" + name + ".json", std::ios::binary);
    return Json::parse(in);
  }
  static Json push(const std::string& full_name) {
    Json out = payload("push");
    out["repository"]["full_name"] = full_name;
    out["ref"] = "refs/heads/main";
    return out;
  }
  Reply deliver(const std::string& target, const std::string& secret, const Json& body,
                const std::string& event = "push") {
    const std::string text = body.dump();
    return send("Content-Type: application/json\r\nX-GitHub-Event: " + event + "\r\nX-GitHub-Delivery: d" +
                    std::to_string(++deliveries_) + "\r\nX-Hub-Signature-256: " + webhooks::signature_of(secret, text) +
                    "\r\n",
                "POST", target, text);
  }
  std::size_t runs() { return get("/api/v1/runs").body["runs"].size(); }

  forge::Config config_;
  int deliveries_ = 0;
};

TEST_F(ApiWebhookSecrets, ARepositorysSecretSpeaksOfNoOther) {
  const std::string secret = new_secret("hello");
  EXPECT_EQ(deliver("/webhooks/github/hello", secret, push("Codertocat/Hello-World")).status, 202);
  EXPECT_EQ(runs(), 1U);
  EXPECT_EQ(deliver("/webhooks/github/hello", secret, push("acme/other")).status, 403);
  EXPECT_EQ(deliver("/webhooks/github/hello", secret, push("nobody/knows")).status, 403);
  EXPECT_EQ(deliver("/webhooks/github/hello", secret, payload("installation_created"), "installation").status, 403);
  EXPECT_EQ(runs(), 1U);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/deliveries?outcome=refused").body["deliveries"].size(), 0U)
      << "nothing that an administrator could try once more";
}

TEST_F(ApiWebhookSecrets, TheServersSecretSpeaksOfThoseWithoutOneOfTheirOwn) {
  EXPECT_EQ(deliver("/webhooks/github", kShared, push("Codertocat/Hello-World")).status, 202);
  const std::string secret = new_secret("hello");
  EXPECT_EQ(deliver("/webhooks/github", kShared, push("Codertocat/Hello-World")).status, 403);
  EXPECT_EQ(deliver("/webhooks/github/hello", kShared, push("Codertocat/Hello-World")).status, 401);
  EXPECT_EQ(deliver("/webhooks/github", secret, push("Codertocat/Hello-World")).status, 401);
  EXPECT_EQ(deliver("/webhooks/github", kShared, push("acme/other")).status, 202);
}

TEST_F(ApiWebhookSecrets, AReplacedSecretCountsForAnHour) {
  const std::string first = new_secret("hello"), second = new_secret("hello");
  EXPECT_NE(first, second);
  const Json body = push("Codertocat/Hello-World");
  EXPECT_NE(deliver("/webhooks/github/hello", first, body).status, 401);
  EXPECT_NE(deliver("/webhooks/github/hello", second, body).status, 401);
  clock_.ms += 3600 * 1000;
  EXPECT_EQ(deliver("/webhooks/github/hello", first, body).status, 401);
  EXPECT_NE(deliver("/webhooks/github/hello", second, body).status, 401);
}

TEST_F(ApiWebhookSecrets, AnAdministratorMakesThemAndWhoMadeOneIsLogged) {
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/repositories/hello/webhook-secret").status, 403);
  EXPECT_EQ(ask("admin", "POST", "/api/v1/repositories/none/webhook-secret").status, 404);
  const std::string secret = new_secret("hello");
  const Json audit = ask("admin", "GET", "/api/v1/audit").body;
  EXPECT_NE(audit.dump().find("repository.webhook_secret"), std::string::npos);
  EXPECT_EQ(audit.dump().find(secret), std::string::npos);
  EXPECT_EQ(get("/api/v1/repositories/hello").body.dump().find(secret), std::string::npos);
}

TEST_F(ApiWebhookSecrets, WithoutASignatureOrASecretNoBodyIsRead) {
  const std::string start =
      "POST /webhooks/github/hello HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
      "X-GitHub-Event: push\r\nX-GitHub-Delivery: d\r\nContent-Length: 4000000\r\n";
  const auto status = [&](const std::string& headers) {
    http::RawClient client(server_->port(), std::chrono::seconds(10));
    client.send(start + headers + "\r\n");
    const auto answer = client.read();
    return answer ? answer->status : 0;
  };
  const std::string signature = "X-Hub-Signature-256: " + webhooks::signature_of("x", "y") + "\r\n";
  EXPECT_EQ(status(signature), 404) << "it has no secret";
  new_secret("hello");
  EXPECT_EQ(status(""), 401);
  EXPECT_EQ(status("X-Hub-Signature-256: sha256=abc\r\n"), 401);
}

// What a pull request accepted counts elsewhere once the forge says that it was merged, and no sooner.
TEST_F(ApiWebhookSecrets, AMergedPullRequestTakesItsAcceptancesAlong) {
  Json opened = payload("pull_request_opened");
  opened["repository"]["full_name"] = "Codertocat/Hello-World";
  opened["pull_request"]["base"]["ref"] = "main";
  const Reply judged = deliver("/webhooks/github", kShared, opened, "pull_request");
  ASSERT_EQ(judged.status, 202) << judged.body;
  ASSERT_EQ(claim()["run"], judged.body["run"]);
  Comparison slower;
  slower.suite = "gemm";
  slower.benchmark = "gemm/64";
  slower.verdict = Verdict::regressed;
  slower.ratio = 1.05;
  slower.head_median_ns = 105;
  db::FinishedRun finished;
  finished.decision.conclusion = Conclusion::regressed;
  finished.decision.comparisons = {slower};
  const RunId id{judged.body["run"].get<std::int64_t>()};
  ASSERT_TRUE(database_->write(
      [&](db::Connection& connection) { return db::finish_run(connection, id, finished, clock_.now()); }));
  const Reply accepted = post("admin", "/api/v1/acknowledgements",
                              {{"repository", "hello"}, {"run", id.value}, {"match", "gemm"}, {"reason", "needed"}});
  ASSERT_EQ(accepted.status, 201) << accepted.body;
  EXPECT_EQ(accepted.body["pull_request"], opened["pull_request"]["number"]);
  Json closed = payload("pull_request_closed");
  for (const char* part : {"number", "head", "base"}) closed["pull_request"][part] = opened["pull_request"][part];
  closed["repository"] = opened["repository"];
  closed["pull_request"]["merged"] = false;
  const auto is_merged = [&] {
    const Json known = get("/api/v1/acknowledgements?repository=hello").body["acknowledgements"];
    return known.size() == 1 && known[0].contains("merged_at") && !known[0]["merged_at"].is_null();
  };
  EXPECT_EQ(deliver("/webhooks/github", kShared, closed, "pull_request").status, 202);
  EXPECT_FALSE(is_merged());
  closed["pull_request"]["merged"] = true;
  EXPECT_EQ(deliver("/webhooks/github", kShared, closed, "pull_request").status, 202);
  EXPECT_TRUE(is_merged());
}

}  // namespace api_webhook_secrets_test
}  // namespace kernelgate::api
