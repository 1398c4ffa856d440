// SPDX-License-Identifier: Apache-2.0
// Bisections and backfills over HTTP: who may ask for them, what is refused, and that runners serve them as any run.
#include <algorithm>

#include "db/accounts/audit.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_bisections_test {

using Json = nlohmann::json;

class ApiBisections : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }

  static std::string commit(int number) {
    const std::string digits = std::to_string(number);
    return std::string(40 - digits.size(), '0') + digits;
  }
  static Json line(int commits) {
    Json out = Json::array();
    for (int i = 1; i <= commits; ++i) out.push_back(commit(i));
    return out;
  }
  static Json request(int commits = 17) {
    return {{"repository", "kernels"}, {"benchmark", "gemm/64"}, {"commits", line(commits)}};
  }

  // Takes the next job and ends it, 12 % slower where only head has the culprit.
  std::string end_next(int culprit) {
    const Json claimed = claim();
    const auto head = claimed["commit"].get<std::string>(), base = claimed["base"]["argument"].get<std::string>();
    EXPECT_EQ(claimed["base"]["kind"], "explicit_commit");
    const bool slower = head >= commit(culprit) && base < commit(culprit);
    Comparison one;
    one.suite = "gemm";
    one.benchmark = "gemm/64";
    one.verdict = slower ? Verdict::regressed : Verdict::unchanged;
    one.ratio = slower ? 1.12 : 1.0;
    one.ratio_high = *one.ratio * 1.005;
    db::ResolvedRun resolved;
    resolved.base_commit = base;
    db::FinishedRun finished;
    finished.decision.conclusion = slower ? Conclusion::regressed : Conclusion::passed;
    finished.decision.comparisons = {one};
    const RunId id{claimed["run"].get<std::int64_t>()};
    const auto done = database_->write([&](db::Connection& connection) -> Status {
      if (const Status set = db::set_resolved(connection, id, resolved); !set) return set;
      return db::finish_run(connection, id, finished, clock_.now());
    });
    EXPECT_TRUE(done) << to_string(done.error());
    return head;
  }
  void know_the_benchmark() {
    EXPECT_EQ(post("trigger", "/api/v1/backfills", {{"repository", "kernels"}, {"commits", {commit(900), commit(901)}}})
                  .status,
              202);
    end_next(1000);
  }
  void expect_refused(const Json& body, int status, const std::string& where, const std::string& role = "trigger") {
    const Reply refused = post(role, "/api/v1/bisections", body);
    EXPECT_EQ(refused.status, status) << refused.body;
    EXPECT_EQ(refused.body.value("where", ""), where) << refused.body;
    EXPECT_FALSE(refused.body.value("detail", "").empty());
  }
};

TEST_F(ApiBisections, RunnersServeItAsAnyRunUntilTheCulpritIsKnown) {
  know_the_benchmark();
  const Reply made = post("trigger", "/api/v1/bisections", request());
  ASSERT_EQ(made.status, 202) << made.body;
  const std::string path = "/api/v1/bisections/" + made.body["id"].dump();
  EXPECT_EQ(made.headers.at("location"), path);
  EXPECT_EQ(made.body["state"], "running");
  Json shown = made.body;
  for (int runs = 0; shown["state"] == "running" && runs < 12; ++runs) {
    end_next(6);
    shown = get(path).body;
  }
  EXPECT_EQ(shown["ending"], "culprit") << shown;
  EXPECT_EQ(shown["culprit"], commit(6));
  EXPECT_EQ(shown["steps"].back()["base"], commit(5));
  EXPECT_LE(shown["comparisons"].get<int>(), 7);
  const Reply listed = get("/api/v1/bisections?repository=kernels");
  EXPECT_EQ(listed.body["bisections"].size(), 1U);
  EXPECT_TRUE(listed.body["bisections"][0]["steps"].empty());
  EXPECT_EQ(post("trigger", path + "/cancel", Json::object()).status, 409) << "it is over";
}

TEST_F(ApiBisections, ACancelledOneStopsItsRun) {
  know_the_benchmark();
  const Reply made = post("trigger", "/api/v1/bisections", request());
  const std::string run = made.body["steps"][0]["run"].dump();
  const Reply cancelled = post("trigger", "/api/v1/bisections/" + made.body["id"].dump() + "/cancel", Json::object());
  EXPECT_EQ(cancelled.status, 200) << cancelled.body;
  EXPECT_EQ(cancelled.body["state"], "cancelled");
  EXPECT_EQ(get("/api/v1/runs/" + run).body["state"], "cancelled");
  const auto actions = database_->read([](db::Connection& connection) { return db::list_actions(connection); });
  ASSERT_TRUE(actions);
  EXPECT_EQ(actions->at(0).action.action, "bisection.cancel");
  EXPECT_EQ(actions->at(1).action.action, "bisection.start");
  EXPECT_TRUE(
      std::any_of(actions->begin(), actions->end(), [](const auto& one) { return one.action.action == "backfill"; }));
}

TEST_F(ApiBisections, EveryRefusalIsAProblemDocument) {
  expect_refused(request(), 404, "/benchmark");  // never measured here
  know_the_benchmark();
  expect_refused(request(), 403, "header Authorization", "read");
  expect_refused(request(), 403, "header Authorization", "runner");
  expect_refused(request(1), 400, "/commits");
  expect_refused(request(4097), 400, "/commits");
  Json body = request();
  body["repository"] = "nobody";
  EXPECT_EQ(post("trigger", "/api/v1/bisections", body).status, 404);
  body = request();
  body["commits"][0] = body["commits"][16];
  expect_refused(body, 400, "/commits");
  body["commits"][0] = "main";
  expect_refused(body, 400, "/commits");
  body = request();
  body["until"] = "fast";
  expect_refused(body, 400, "/until");
  body["until"] = "regressed";
  body["benchmark"] = "";
  expect_refused(body, 400, "/benchmark");
  EXPECT_EQ(post("trigger", "/api/v1/bisections", request()).status, 202);
  expect_refused(request(), 409, "/commits");  // the same is under way
  EXPECT_EQ(get("/api/v1/bisections/77").status, 404);
  EXPECT_EQ(post("read", "/api/v1/bisections/1/cancel", Json::object()).status, 403);
  EXPECT_EQ(post("trigger", "/api/v1/bisections/77/cancel", Json::object()).status, 404);
}

TEST_F(ApiBisections, ABackfillIsLimitedAndOpenToTriggersAlone) {
  const Json body = {{"repository", "kernels"}, {"commits", line(6)}, {"limit", 2}};
  EXPECT_EQ(post("read", "/api/v1/backfills", body).status, 403);
  const Reply reply = post("trigger", "/api/v1/backfills", body);
  EXPECT_EQ(reply.status, 202) << reply.body;
  EXPECT_EQ(reply.body["runs"].size(), 2U);
  EXPECT_EQ(reply.body["left"], 3);
  Json too_many = body;
  too_many["limit"] = 201;
  EXPECT_EQ(post("trigger", "/api/v1/backfills", too_many).status, 400);
  for (int i = 0; i < 2; ++i) (void)post("trigger", "/api/v1/backfills", body);
  EXPECT_EQ(post("trigger", "/api/v1/backfills", body).status, 200) << "all were measured or are queued";
}

}  // namespace api_bisections_test
}  // namespace kernelgate::api
