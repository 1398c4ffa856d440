// SPDX-License-Identifier: Apache-2.0
// Acts on baselines: who may do them, what is refused, and what they change.
#include "db/repositories/testbeds.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_baselines_test {

using Json = nlohmann::json;

class ApiBaselines : public ApiFixture {
 protected:
  // Ends a run of the commit with this verdict of "gemm/64", timed by one process of head.
  std::int64_t ended(char commit, Conclusion conclusion, Verdict verdict, const std::string& disturbance = {}) {
    trigger(commit);
    const Json claimed = claim();
    EXPECT_EQ(resolve(claimed, commit).status, 200);
    if (verdict != Verdict::identical) {
      const Json process = {{"id", std::string(1, commit)},
                            {"suite", "gemm"},
                            {"side", "head"},
                            {"round", 0},
                            {"pair", 0},
                            {"attempt", 0},
                            {"order", 0},
                            {"end", "ok"},
                            {"disturbed", !disturbance.empty()},
                            {"disturbance", disturbance},
                            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", {100, 101, 102}}}}}};
      const Json body = {{"lease", claimed["lease"]}, {"processes", {process}}};
      EXPECT_EQ(post("runner", "/api/v1/runner/runs/" + claimed["run"].dump() + "/processes", body).status, 200);
    }
    Comparison comparison;
    comparison.suite = "gemm";
    comparison.benchmark = "gemm/64";
    comparison.verdict = verdict;
    comparison.ratio = 1.05;
    comparison.head_median_ns = 101;
    db::FinishedRun finished;
    finished.decision.conclusion = conclusion;
    finished.decision.comparisons = {comparison};
    const RunId id{claimed["run"].get<std::int64_t>()};
    const auto done = database_->write(
        [&](db::Connection& connection) { return db::finish_run(connection, id, finished, clock_.now()); });
    EXPECT_TRUE(done) << to_string(done.error());
    return id.value;
  }
  Json promotion(std::int64_t run, bool anchor = false) {
    return {{"repository", "kernels"}, {"run", run}, {"name", "main"}, {"reason", "release"}, {"anchor", anchor}};
  }
  void expect_refused(std::int64_t run, const std::string& why) {
    const Reply refused = post("admin", "/api/v1/baselines", promotion(run));
    EXPECT_EQ(refused.status, 409) << refused.body;
    EXPECT_NE(refused.body.value("detail", "").find(why), std::string::npos) << refused.body;
  }
  Json acceptance(std::int64_t run) {
    return {{"repository", "kernels"}, {"run", run}, {"match", "gemm/.*"}, {"reason", "needed"}};
  }
};

TEST_F(ApiBaselines, NoUnfitRunIsPromoted) {
  add_repository();
  expect_refused(ended('1', Conclusion::regressed, Verdict::regressed), "it concluded regressed");
  expect_refused(ended('2', Conclusion::passed, Verdict::identical), "it timed nothing");
  expect_refused(ended('3', Conclusion::passed, Verdict::unchanged, "thermal"), "was disturbed: thermal");
  const std::int64_t good = ended('4', Conclusion::passed, Verdict::unchanged);
  (void)database_->write([&](db::Connection& connection) {
    wire::TestbedFacts changed;
    changed.name = "bench";
    changed.driver = "new";
    (void)db::enter_epoch(connection, changed, clock_.now());
    return Status{};
  });
  expect_refused(good, "its epoch is over");
}

TEST_F(ApiBaselines, ASessionIsQueuedAndARunnerIsToldHowOften) {
  add_repository();
  const std::int64_t run = ended('1', Conclusion::passed, Verdict::unchanged);
  const Json wanted = {{"repository", "kernels"}, {"processes", 3}};
  EXPECT_EQ(post("trigger", "/api/v1/baselines/remeasure", wanted).status, 404);
  ASSERT_EQ(post("admin", "/api/v1/baselines", promotion(run, true)).status, 201);
  EXPECT_EQ(post("read", "/api/v1/baselines/remeasure", wanted).status, 403);
  EXPECT_EQ(post("trigger", "/api/v1/baselines/remeasure", {{"repository", "kernels"}, {"processes", 1}}).status, 400);
  const Reply queued = post("trigger", "/api/v1/baselines/remeasure", wanted);
  ASSERT_EQ(queued.status, 202) << queued.body;
  EXPECT_EQ(queued.body["baselines"][0]["run"], run + 1);
  const Reply again = post("trigger", "/api/v1/baselines/remeasure", wanted);
  EXPECT_EQ(again.body["baselines"][0]["why_not"], "run 2 of it is not finished yet");
  const Json claimed = claim();
  EXPECT_EQ(claimed["base"]["kind"], "none");
  EXPECT_EQ(claimed["base"]["argument"], "3");
  EXPECT_EQ(claimed["commit"], std::string(40, '1'));
  EXPECT_EQ(claimed["anchor"], std::string(40, '1'));
  const Json listed = get("/api/v1/baselines?repository=kernels").body["baselines"][0];
  EXPECT_EQ(listed["anchor"], true);
  EXPECT_EQ(listed["sessions"], 0);
}

TEST_F(ApiBaselines, ATriggerMayNotAskForASession) {
  add_repository();
  Json body = trigger_body('1');
  body["base"] = {{"kind", "none"}, {"argument", "2"}};
  EXPECT_EQ(post("trigger", "/api/v1/triggers", body).status, 400);
}

TEST_F(ApiBaselines, ARegressionIsAcceptedAndTakenBackByAnAdmin) {
  add_repository();
  const std::int64_t run = ended('1', Conclusion::regressed, Verdict::regressed);
  EXPECT_EQ(post("trigger", "/api/v1/acknowledgements", acceptance(run)).status, 403);
  Json other = acceptance(run);
  other["match"] = "conv";
  EXPECT_EQ(post("admin", "/api/v1/acknowledgements", other).status, 409);
  other["match"] = "(";
  EXPECT_EQ(post("admin", "/api/v1/acknowledgements", other).status, 400);
  const Reply made = post("admin", "/api/v1/acknowledgements", acceptance(run));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body["actor"], "admin");
  EXPECT_EQ(made.body["benchmarks"][0]["ratio"], 1.05);
  EXPECT_EQ(get("/api/v1/acknowledgements?repository=kernels").body["acknowledgements"].size(), 1U);
  const std::string path = "/api/v1/acknowledgements/" + made.body["id"].dump() + "/revoke";
  const Json reason = {{"repository", "kernels"}, {"reason", "fixed"}};
  EXPECT_EQ(post("trigger", path, reason).status, 403);
  const Reply back = post("admin", path, reason);
  ASSERT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(back.body["revoked_reason"], "fixed");
  EXPECT_EQ(post("admin", path, reason).status, 409);
  EXPECT_EQ(post("admin", "/api/v1/acknowledgements/99/revoke", reason).status, 404);
}

}  // namespace api_baselines_test
}  // namespace kernelgate::api
