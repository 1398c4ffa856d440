// SPDX-License-Identifier: Apache-2.0
// The ledger of attempts: what runs leave in it, what people note, and who may.
#include <gmock/gmock.h>

#include "db/accounts/audit.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_attempts_test {
using Json = nlohmann::json;
using testing::HasSubstr;

class ApiAttempts : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }
  // A run of a branch whose check fails with this error.
  std::int64_t broken(char commit, const std::string& branch, double error = 24.014477) {
    Json trigger = trigger_body(commit);
    trigger["branch"] = branch;
    trigger["hypothesis"] = "Two tiles read A once";
    EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger).status, 202);
    const Json claimed = claim();
    EXPECT_EQ(resolve(claimed, commit).status, 200);
    Json evidence = first_push();
    const std::string value = Json(error).dump();
    evidence["suites"][0]["checks_passed"] = false;
    evidence["suites"][0]["failures"] = {{{"benchmark", "gemm/64"},
                                          {"side", "head"},
                                          {"verdict", "broken"},
                                          {"text", "wrong by " + value},
                                          {"fingerprint", "0badf00d gemm/64 wrong_value " + value}}};
    EXPECT_EQ(finish(claimed, evidence).status, 200);
    return claimed["run"].get<std::int64_t>();
  }
  Json attempts(const std::string& query = {}) {
    const Reply got = get("/api/v1/attempts?repository=kernels" + query);
    EXPECT_EQ(got.status, 200) << got.body;
    return got.body["attempts"];
  }
};

TEST_F(ApiAttempts, ARunOffTheDefaultBranchIsListedWithItsFailuresLikeness) {
  const std::int64_t first = broken('1', "try/pipelining");
  broken('2', "main");
  const std::int64_t last = broken('3', "try/tiles");
  const Json all = attempts();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["branch"], "try/tiles");
  EXPECT_EQ(all[0]["outcome"], "broken");
  EXPECT_EQ(all[0]["failed"], true);
  EXPECT_EQ(all[0]["hypothesis"], "Two tiles read A once");
  EXPECT_EQ(all[0]["runs"], Json({last}));
  const std::string notice = "the same failure as attempt #1: gemm/64 wrong_value 24.014477";
  EXPECT_EQ(all[0]["notices"], Json({notice}));
  EXPECT_EQ(get("/api/v1/runs/" + std::to_string(last)).body["notices"].back(), notice);
  // On the first one too, though it ended before anybody could know.
  EXPECT_THAT(get("/api/v1/runs/" + std::to_string(first)).body["notices"].back().get<std::string>(),
              HasSubstr("attempt #2"));
  EXPECT_EQ(get("/api/v1/attempts/1").body["branch"], "try/pipelining");
}

TEST_F(ApiAttempts, FiltersAndPages) {
  broken('1', "try/a");
  broken('2', "try/b");
  EXPECT_EQ(attempts("&branch=try/*").size(), 2u);
  EXPECT_EQ(attempts("&branch=try/a").size(), 1u);
  EXPECT_EQ(attempts("&outcome=won").size(), 0u);
  EXPECT_EQ(attempts("&outcome=failed&text=a%20once&suite=gemm&benchmark=gemm/64&since=1d").size(), 2u);
  const Reply page = get("/api/v1/attempts?limit=1");
  EXPECT_EQ(page.body["next"], "2");
  EXPECT_EQ(get("/api/v1/attempts?limit=1&before=2").body["attempts"][0]["id"], 1);
  EXPECT_EQ(get("/api/v1/attempts?outcome=wonderful").body["code"], "invalid");
  EXPECT_EQ(get("/api/v1/attempts?since=yesterday").status, 400);
  EXPECT_EQ(get("/api/v1/attempts?repository=none").status, 404);
  EXPECT_EQ(get("/api/v1/attempts?limit=0").status, 400);
  EXPECT_EQ(get("/api/v1/attempts/77").status, 404);
  EXPECT_EQ(get("/api/v1/attempts/x").status, 404);
}

TEST_F(ApiAttempts, NotesAreTakenAndLogged) {
  const std::int64_t run = broken('1', "try/a");
  const Json note = {{"repository", "kernels"}, {"run", run}, {"lesson", "the last block is added twice"}};
  const Reply noted = post("trigger", "/api/v1/attempts", note);
  EXPECT_EQ(noted.status, 201) << noted.body;
  EXPECT_EQ(noted.body["lesson"], "the last block is added twice");
  EXPECT_EQ(noted.body["hypothesis"], "Two tiles read A once");
  const Reply changed = ask("trigger", "PATCH", "/api/v1/attempts/1", R"({"lesson":"fix the loop first"})");
  EXPECT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.body["lesson"], "fix the loop first");
  const Reply idea =
      post("trigger", "/api/v1/attempts", {{"repository", "kernels"}, {"branch", "try/b"}, {"hypothesis", "queues"}});
  EXPECT_EQ(idea.status, 201) << idea.body;
  EXPECT_EQ(idea.body["outcome"], "not_tried");
  const auto actions = database_->read([](db::Connection& connection) { return db::list_actions(connection); });
  EXPECT_EQ(actions->at(0).action.subject, "attempt 2");
  EXPECT_EQ(actions->at(1).action.action, "attempt.change");
  EXPECT_EQ(actions->at(2).action.action, "attempt.note");
}

TEST_F(ApiAttempts, TheTuningReportIsDataOrAPage) {
  broken('1', "try/a");
  broken('2', "try/b");
  const Reply data = get("/api/v1/reports/tuning?repository=kernels");
  EXPECT_EQ(data.status, 200) << data.body;
  EXPECT_EQ(data.body["attempts"].size(), 2u);
  EXPECT_EQ(data.body["failures"][0]["attempts"], Json({1, 2}));
  const Reply page = get("/api/v1/reports/tuning?repository=kernels&format=markdown&branch=try/a&since=1d");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.at("content-type"), "text/markdown; charset=utf-8");
  EXPECT_THAT(page.body.get<std::string>(), HasSubstr("# Tuning report: kernels\n\n1 attempt of try/a since 1d"));
  EXPECT_EQ(get("/api/v1/reports/tuning?repository=kernels&format=pdf").status, 400);
  EXPECT_EQ(get("/api/v1/reports/tuning?repository=kernels&since=soon").status, 400);
  EXPECT_EQ(get("/api/v1/reports/tuning?repository=none").status, 404);
  EXPECT_EQ(get("/api/v1/reports/tuning").status, 404);
  EXPECT_EQ(ask("", "GET", "/api/v1/reports/tuning?repository=kernels").status, 401);
}

TEST_F(ApiAttempts, WhoMayNotOrSaysNothingIsRefused) {
  const std::int64_t run = broken('1', "try/a");
  const Json note = {{"repository", "kernels"}, {"run", run}, {"lesson", "l"}};
  EXPECT_EQ(post("read", "/api/v1/attempts", note).status, 403);
  EXPECT_EQ(post("", "/api/v1/attempts", note).status, 401);
  EXPECT_EQ(ask("read", "PATCH", "/api/v1/attempts/1", R"({"lesson":"l"})").status, 403);
  EXPECT_EQ(ask("trigger", "PATCH", "/api/v1/attempts/77", R"({"lesson":"l"})").status, 404);
  EXPECT_EQ(ask("trigger", "PATCH", "/api/v1/attempts/1", "{}").body["where"], "hypothesis, lesson");
  EXPECT_EQ(ask("trigger", "PATCH", "/api/v1/attempts/1", "nonsense").status, 400);
  EXPECT_EQ(post("trigger", "/api/v1/attempts", {{"repository", "kernels"}, {"run", 77}, {"lesson", "l"}}).status, 404);
  EXPECT_EQ(post("trigger", "/api/v1/attempts", {{"repository", "none"}, {"run", run}, {"lesson", "l"}}).status, 404);
  EXPECT_EQ(post("trigger", "/api/v1/attempts", {{"repository", "kernels"}, {"branch", "b"}, {"lesson", "l"}}).status,
            400);
  EXPECT_EQ(
      post("trigger", "/api/v1/attempts", {{"repository", "kernels"}, {"run", run}, {"lesson", std::string(2001, 'x')}})
          .status,
      400);
}

}  // namespace api_attempts_test
}  // namespace kernelgate::api
